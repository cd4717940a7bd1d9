#if Client
  import ArgumentParser
  import CommandSupport
  import FederationClient
  import LocalFiles
  import Octets
  import SecurityKeys
  import TokenBasics

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #else
    import Darwin
  #endif

  /// The store of sessions between two runs.
  struct StoreOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        """
        The encrypted file of sessions; default claims-client/credentials in $XDG_DATA_HOME or \
        ~/.local/share, made by the first sign-in.
        """, valueName: "FILE"), completion: .file())
    var store: String?

    @Option(
      help: ArgumentHelp(
        """
        A file of mode 0600 with its key: 32 bytes or base64; of the default store, default one beside \
        it, which the first sign-in makes.
        """, valueName: "FILE"), completion: .file())
    var storeKeyFile: String?

    @Option(help: ArgumentHelp("An environment variable with its key.", valueName: "NAME"))
    var storeKeyEnv: String?

    @Option(
      help: ArgumentHelp("A file with its passphrase.", valueName: "FILE"), completion: .file())
    var storePassphraseFile: String?

    @Option(
      help: ArgumentHelp(
        """
        The name of the session in the file; default the name of the subcommand that signs in, and \
        elsewhere the only session there is.
        """, valueName: "NAME"))
    var account: String?

    func validate() throws {
      let given = [storeKeyFile, storeKeyEnv, storePassphraseFile].count { $0 != nil }
      guard given <= 1 else {
        throw ValidationError(
          "--store-key-file, --store-key-env and --store-passphrase-file exclude each other")
      }
      guard store == nil || given == 1 else {
        throw ValidationError(
          "with --store one of --store-key-file, --store-key-env and --store-passphrase-file is needed"
        )
      }
    }

    /// Whether any of the options is given.
    var isNamed: Bool { store != nil || hasKey || account != nil }

    /// The name under which the session of a service is stored.
    func account(of service: StoredService) -> String { account ?? service.kind.rawValue }

    /// - Throws: exit code 2 if another service's session has that name.
    func checkPlace(of service: StoredService, in store: FileCredentialStore) throws {
      let name = account(of: service)
      guard let there = try store.read().sessions[name], !service.owns(there) else { return }
      throw CommandFailure(
        .usage,
        "account \(name) holds a session of another service: \(StoredService.name(of: there))",
        hint: "name another with --account, or end that session first")
    }

    /// The session of the named account; without a name the only one.
    /// - Throws: `session.none`; exit code 2 if there are several.
    func session(
      in content: StoredCredentials
    ) throws -> (account: String, session: Session) {
      if let account {
        guard let session = content.sessions[account] else {
          throw TokenError(.sessionNone, node: "--account", found: SecretMark.of(account))
        }
        return (account, session)
      }
      guard let (name, session) = content.sessions.first else { throw TokenError(.sessionNone) }
      guard content.sessions.count == 1 else {
        let names = content.sessions.keys.sorted().joined(separator: ", ")
        throw CommandFailure(
          .usage, "there are several sessions", hint: "name one with --account: \(names)")
      }
      return (name, session)
    }

    /// The content of the store. Creates and changes nothing.
    func content() throws -> StoredCredentials {
      if store == nil, try !DefaultStore().isThere { return StoredCredentials() }
      return try open().read()
    }

    /// The store for a sign-in: creates the default one, and renames a damaged file.
    func openForSignIn() throws -> FileCredentialStore {
      if store == nil { try DefaultStore().prepare(makingKey: !hasKey) }
      let kept = try open()
      if let aside = try kept.keepDamagedAside() {
        CommandMessages.own.warning(
          "the session file was damaged, so a new one is started; \(aside)")
      }
      return kept
    }

    private var hasKey: Bool {
      storeKeyFile != nil || storeKeyEnv != nil || storePassphraseFile != nil
    }

    func open() throws -> FileCredentialStore {
      let key: StoreKey
      if let storeKeyFile {
        key = .file(storeKeyFile)
      } else if let storeKeyEnv {
        key = .environment(storeKeyEnv)
      } else if storePassphraseFile != nil {
        key = .passphrase(
          try SecretSource.secret(
            "store-passphrase", file: storePassphraseFile, environment: nil))
      } else {
        key = .file(try DefaultStore().key)
      }
      return FileCredentialStore(path: try store ?? DefaultStore().file, key: key)
    }
  }

  /// The session file in the user's data folder (XDG Base Directory Specification), and its key file there.
  struct DefaultStore {
    private let base: String

    private var folder: String { base + "/claims-client" }
    var file: String { folder + "/credentials" }
    var key: String { folder + "/credentials.key" }

    /// - Throws: exit code 2 if the environment names no folder.
    init() throws(CommandFailure) {
      // The specification requires to ignore relative and empty paths.
      if let data = Self.folder("XDG_DATA_HOME") {
        base = data
      } else if let home = Self.folder("HOME") {
        base = home + "/.local/share"
      } else {
        throw CommandFailure(
          .usage, "neither $XDG_DATA_HOME nor $HOME names a folder",
          hint: "name a file with --store")
      }
    }

    private static func folder(_ name: String) -> String? {
      guard let value = unsafe getenv(name) else { return nil }
      let path = unsafe String(cString: value)
      return path.hasPrefix("/") ? path : nil
    }

    /// Whether the session file exists.
    var isThere: Bool { FileIdentity(path: file) != nil }

    /// Creates the folder, and the key unless it or a session file exists.
    /// - Throws: exit code 3.
    func prepare(makingKey: Bool) throws(CommandFailure) {
      do throws(FileFailure) {
        var path = ""
        for name in folder.split(separator: "/") {
          path += "/" + name
          try OpenFile.makeFolder(path)
        }
        guard makingKey, !isThere, FileIdentity(path: key) == nil else { return }
        let octets = Array((Base64.encode(SystemRandom.octets(32)) + "\n").utf8)
        // Of two concurrent processes, the first one's key is used.
        try AtomicFile(path: key).create(
          with: octets, draft: ".new-\(Hex.encode(SystemRandom.octets(8)))")
      } catch {
        throw CommandFailure(.inputOutput, "cannot make \(folder): \(error.text)")
      }
    }
  }
#endif
