#if Client
  import ArgumentParser
  import Federation
  import FederationClient
  import FederationNetwork
  import HTTPExchange
  import TokenBasics

  /// `claims-client sign-in opro`
  struct OPROSignInCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "opro",
      abstract: "At an oPRO server: by a password or its consent page.",
      discussion: """
        Examples:
          claims-client sign-in opro --server https://opro.example/ --client-id 4711 \\
            --client-secret-file opro.secret

        With --user-name by name or e-mail address and password; without it through the browser. \
        The server then invalidates the person's tokens on all other devices.
        """)

    @Option(help: ArgumentHelp("The address of the server.", valueName: "URL"))
    var server: String

    @Option(
      name: .customLong("client-id"),
      help: ArgumentHelp("The id of the registered application.", valueName: "ID"))
    var clientID: String

    @Option(help: ArgumentHelp("A file with its secret.", valueName: "FILE"), completion: .file())
    var clientSecretFile: String?

    @Option(help: ArgumentHelp("An environment variable with its secret.", valueName: "NAME"))
    var clientSecretEnv: String?

    @Flag(help: "Through the browser: ask for the permission to write, too.")
    var write = false

    @OptionGroup var person: PasswordOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var network: NetworkOptions
    @OptionGroup var loopback: LoopbackOptions

    func validate() throws {
      guard !write || person.userName == nil else {
        throw ValidationError("--write is for the browser: --user-name excludes it")
      }
    }

    func run() async throws {
      let kept = try store.openForSignIn()
      let kind = StoredService(.opro, [.server: server, .clientID: clientID])
      try store.checkPlace(of: kind, in: kept)
      let service = try OPROService(
        at: try HTTPURL(server), clientID: clientID,
        clientSecret: try SecretSource.secret(
          "client-secret", file: clientSecretFile, environment: clientSecretEnv))
      let transport = try network.transport()
      guard let session = try await signIn(service, transport) else {
        throw TokenError(.sessionCancelled)
      }
      await transport.shutdown()
      try await store.keep(session, of: kind, in: kept)
    }

    private func signIn(
      _ service: OPROService, _ transport: any HTTPTransport
    ) async throws -> Session? {
      if let name = person.userName {
        return try await session(
          .password(userName: name, try person.password(of: name)), service, transport)
      }
      return try await service.signIn(
        write ? [.read, .write] : [.read], through: loopback.signIn,
        open: { SignInCommand.show($0.text) },
        exchange: { (grant) throws(TokenError) in try await session(grant, service, transport) })
    }

    private func session(
      _ grant: OPROGrant, _ service: OPROService, _ transport: any HTTPTransport
    ) async throws(TokenError) -> Session {
      let now = SystemTime().now
      let tokens = try await service.exchange(grant, over: transport, now: now)
      let subject = try await subject(
        service.session(tokens, subject: "me", now: now), service, transport)
      return service.session(tokens, subject: subject, now: now)
    }

    /// The user's number, fetched from the server, since the tokens do not contain it.
    private func subject(
      _ session: Session, _ service: OPROService, _ transport: any HTTPTransport
    ) async throws(TokenError) -> String {
      let current = CurrentSession(
        account: "me", store: MemoryCredentialStore(), renewal: .logOut, time: SystemTime(),
        observer: network.observer)
      try await current.signIn(session)
      let authorized = AuthorizedTransport(
        OPROTransport(transport), session: current, origin: service.origin)
      return "\(try await service.profile(over: authorized).id)"
    }
  }
#endif
