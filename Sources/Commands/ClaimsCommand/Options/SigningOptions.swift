#if CommandLine
  import ArgumentParser
  import CommandSupport
  import Federation

  /// The private key that signs, and how.
  struct SigningOptions: ParsableArguments {
    @Option(help: "The private key, unencrypted PEM or DER.")
    var signingKey: String

    @Option(help: "The key's certificate, shown in the signature; default none is shown.")
    var certificate: String?

    @Option(
      help: """
        The signature algorithm, by name or URI; default rsa-sha256, or ecdsa- with the digest of \
        the curve. Only the rsa-sha algorithms sign the same bytes alike every time.
        """)
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
