#if CommandLine
  import ArgumentParser
  import CommandSupport
  import Federation

  /// The private key that signs, and how.
  struct SigningOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp("The private key, unencrypted PEM or DER.", valueName: "FILE"),
      completion: .file())
    var signingKey: String

    @Option(
      help: ArgumentHelp(
        "The key's certificate, shown in the signature; default none is shown.", valueName: "FILE"),
      completion: .file())
    var certificate: String?

    @Option(
      help: ArgumentHelp(
        """
        The signature algorithm, by name or URI; default rsa-sha256, or ecdsa- with the digest of \
        the curve. Only the rsa-sha algorithms sign the same bytes alike every time.
        """, valueName: "ALGORITHM"))
    var algorithm: String?

    /// The key that these options describe.
    func resolve() throws(CommandFailure) -> SigningKey {
      do {
        return try SigningFiles.key(
          signingKey, certificate: certificate.map(SigningFiles.certificate), algorithm: algorithm)
      } catch {
        throw CommandFailure(usage: error)
      }
    }
  }
#endif
