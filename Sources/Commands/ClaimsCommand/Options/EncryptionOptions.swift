#if CommandLine
  import ArgumentParser
  import CommandSupport
  import Federation

  /// The recipient to encrypt to, and the algorithms.
  struct EncryptionOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        """
        Encrypts the signed assertion to this certificate (PEM or DER), RSA or EC. SAML 1.1 is \
        encrypted in a WS-Trust response only. Content key, IV and what goes with them are new every \
        time, so the bytes are never the same twice.
        """, valueName: "FILE"), completion: .file())
    var encryptTo: String?

    @Option(
      help: ArgumentHelp(
        """
        The cipher: aes256-gcm (the default), aes192-gcm, aes128-gcm, or, for a reader that knows \
        nothing else, aes256-cbc, aes192-cbc, aes128-cbc, which notice no changes.
        """, valueName: "ALGORITHM"), completion: .list(ContentCipher.allCases.map(\.name)))
    var encryptionAlgorithm: String?

    @Option(
      help: ArgumentHelp(
        """
        How the cipher's key is encrypted: rsa-oaep-mgf1p (the default for RSA), rsa-oaep-sha256, or \
        ecdh-es (for EC).
        """, valueName: "ALGORITHM"),
      completion: .list(["rsa-oaep-mgf1p", "rsa-oaep-sha256", "ecdh-es"]))
    var keyEncryption: String?

    func validate() throws {
      guard encryptTo != nil || (encryptionAlgorithm == nil && keyEncryption == nil) else {
        throw ValidationError("--encryption-algorithm and --key-encryption need --encrypt-to")
      }
    }

    /// The recipient that these options describe, if any.
    func resolve() throws(CommandFailure) -> EncryptionRecipient? {
      guard let encryptTo else { return nil }
      do {
        return try SigningFiles.recipient(
          encryptTo, cipher: encryptionAlgorithm, keyEncryption: keyEncryption)
      } catch {
        throw CommandFailure(usage: error)
      }
    }
  }
#endif
