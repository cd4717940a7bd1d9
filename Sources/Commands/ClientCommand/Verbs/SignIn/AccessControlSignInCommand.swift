#if Client
  import ArgumentParser
  import FederationNetwork
  import CommandSupport
  import Federation
  import FederationClient
  import HTTPExchange

  /// `claims-client sign-in acs`
  struct AccessControlSignInCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "acs",
      abstract: "At an Access Control Service, through the browser.",
      discussion: """
        Examples:
          claims-client sign-in acs --server https://acs.example/ --realm urn:app \\
            --trust trust.json

        Prints an address for the browser on standard error and waits on 127.0.0.1 for the browser to \
        return. The token is verified against the trust file before anything of it is stored or shown.
        Of several identity providers one is chosen on the terminal, by its number in a list or by an \
        e-mail address; without a terminal --provider, --provider-name or --email names it.
        """)

    @OptionGroup var service: ServiceOptions
    @OptionGroup var trust: TrustOption
    @OptionGroup var store: StoreOptions
    @OptionGroup var network: NetworkOptions
    @OptionGroup var loopback: LoopbackOptions

    @Option(
      help: ArgumentHelp(
        "The provider to use without a prompt, as in its claim (`whr`).", valueName: "NAME"))
    var provider: String?

    @Option(
      help: ArgumentHelp(
        "The provider to use without a prompt, as `claims-client providers` lists it.",
        valueName: "NAME"))
    var providerName: String?

    @Option(
      help: ArgumentHelp(
        "The provider to use without a prompt, by the domain of an address.", valueName: "ADDRESS"))
    var email: String?

    @Option(
      help: ArgumentHelp(
        """
        The address of the relying party's service, the only one to which `call` sends the token; \
        default the realm if it is an address.
        """, valueName: "URL"))
    var resource: String?

    @Option(
      help: ArgumentHelp(
        "The scheme in which the relying party's services expect the token.", valueName: "SCHEME"))
    var scheme: SchemeArgument = .bearer

    func validate() throws {
      guard [provider, providerName, email].count(where: { $0 != nil }) <= 1 else {
        throw ValidationError("--provider, --provider-name and --email exclude each other")
      }
    }

    func run() async throws {
      let transport = try network.transport()
      let kept = try store.openForSignIn()
      let kind = try keptService()
      try store.checkPlace(of: kind, in: kept)
      let client = AccessControlClient(
        try service.service(), trust: try trust.load(), transport: transport, time: SystemTime(),
        observer: network.observer)
      let outcome = try await signIn(client, kept)
      await transport.shutdown()
      guard case .signedIn(let session) = outcome else { throw TokenError(.sessionCancelled) }
      try await store.keep(session, of: kind, in: kept)
    }

    private func keptService() throws(TokenError) -> StoredService {
      if let resource { _ = try HTTPURL(resource) }
      let realm = service.realm
      let address = resource ?? ((try? HTTPURL(realm)) != nil ? realm : nil)
      return StoredService(
        .accessControl,
        [
          .server: service.server ?? service.namespace, .realm: realm, .issuer: service.issuer,
          .resource: address,
        ])
    }

    private func signIn(
      _ client: AccessControlClient, _ kept: FileCredentialStore
    ) async throws -> SignInOutcome {
      if let provider {
        return try await client.signIn(
          scheme: scheme.value, request: PassiveRequest(whr: provider), through: loopback.signIn,
          open: { SignInCommand.show($0.text) })
      }
      let (name, email) = (providerName, email)
      return try await client.signIn(
        scheme: scheme.value, rememberingIn: kept, through: loopback.signIn,
        choose: { picker in
          if let name { return try picker.provider(named: name) }
          if let email { return try picker.provider(forAddress: email) }
          guard Terminal.isThere else { throw Self.needed(picker.providers.count) }
          return ProviderQuestion(picker).ask()
        },
        open: { SignInCommand.show($0.text) })
    }

    private static func needed(_ count: Int) -> CommandFailure {
      CommandFailure(
        .usage, "there are \(count) identity providers and no terminal to ask on",
        hint: "name one with --provider, --provider-name or --email")
    }
  }

  /// ``CredentialScheme`` as an argument.
  enum SchemeArgument: String, ExpressibleByArgument, CaseIterable {
    case bearer
    case oauth
    case wrap
    case token
    case zumo

    var value: CredentialScheme {
      switch self {
      case .bearer: .bearer
      case .oauth: .oauth
      case .wrap: .wrap
      case .token: .token
      case .zumo: .zumo
      }
    }
  }
#endif
