#if Client
  import ArgumentParser
  import FederationClient

  /// Where sessions are kept between two runs.
  struct StoreOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The encrypted file of sessions.", valueName: "FILE"))
    var store: String

    @Option(
      help: ArgumentHelp("A file of mode 0600 with its key: 32 bytes or base64.", valueName: "FILE")
    )
    var storeKeyFile: String?

    @Option(help: ArgumentHelp("An environment variable with its key.", valueName: "NAME"))
    var storeKeyEnv: String?

    @Option(help: ArgumentHelp("A file with its passphrase.", valueName: "FILE"))
    var storePassphraseFile: String?

    @Option(help: "The name of the session in the file.")
    var account = "acs"

    func validate() throws {
      let given = [storeKeyFile, storeKeyEnv, storePassphraseFile].count { $0 != nil }
      guard given == 1 else {
        throw ValidationError(
          "one of --store-key-file, --store-key-env and --store-passphrase-file is needed")
      }
    }

    func open() throws -> FileCredentialStore {
      let key: StoreKey
      if let storeKeyFile {
        key = .file(storeKeyFile)
      } else if let storeKeyEnv {
        key = .environment(storeKeyEnv)
      } else {
        key = .passphrase(
          try SecretSource.secret(
            "store-passphrase", file: storePassphraseFile, environment: nil))
      }
      return FileCredentialStore(path: store, key: key)
    }
  }
#endif
