#if CommandLine
  import ArgumentParser
  import Federation

  /// Our own private keys.
  struct DecryptionOptions: ParsableArguments {
    @Option(
      name: .customLong("decrypt-key"),
      help: ArgumentHelp(
        "A private key (PEM or DER file) to which tokens are encrypted. Repeatable.",
        valueName: "FILE"), completion: .file())
    var files: [String] = []

    /// The keys in these files.
    ///
    /// - Throws: `key.unreadable`, `key.unsupported`, `key.weak`.
    func keys(
      _ source: ConfigurationFiles = ConfigurationFiles()
    ) throws(TokenError) -> [PrivateKey] {
      var keys: [PrivateKey] = []
      for path in files {
        do {
          let key = try source.value(of: path, as: "key of ours") { () throws(TokenError) in
            try PrivateKey(pemOrDER: source.read(path))
          }
          keys.append(key)
        } catch {
          throw error.located(at: path)
        }
      }
      return keys
    }
  }
#endif
