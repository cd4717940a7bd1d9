#if CommandLine
  import ArgumentParser
  import Federation

  /// Our own private keys.
  struct DecryptionOptions: ParsableArguments {
    @Option(
      name: .customLong("decrypt-key"),
      help: ArgumentHelp(
        """
        A key of ours to which tokens are encrypted: a private key (PEM or DER file), or jwk:PATH for a \
        private JWK, a secret (oct) or a set of them, which decrypt JWT too. Repeatable.
        """, valueName: "FILE"), completion: .file())
    var files: [String] = []

    /// The keys in these files.
    ///
    /// - Throws: `key.unreadable`, `key.unsupported`, `key.weak`.
    func keys(
      _ source: ConfigurationFiles = ConfigurationFiles()
    ) throws(TokenError) -> [DecryptionKey] {
      var keys: [DecryptionKey] = []
      for path in files {
        do {
          keys += try KeySpecification.decryptionKeys(path, files: source)
        } catch {
          throw error.located(at: path)
        }
      }
      return keys
    }

    /// A trust that has these keys and no issuer: to decrypt what nothing judges.
    ///
    /// - Throws: As ``keys(_:)``.
    func trustOfNoIssuer() throws(TokenError) -> Trust {
      Trust(issuers: [], audiences: .any, decryptionKeys: try keys())
    }
  }
#endif
