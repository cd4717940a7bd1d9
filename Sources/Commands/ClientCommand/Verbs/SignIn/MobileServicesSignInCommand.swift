#if Client
  import ArgumentParser
  import CommandSupport
  import Federation
  import FederationClient
  import FederationNetwork
  import HTTPExchange
  import TokenBasics

  /// `claims-client sign-in mobile-services`
  struct MobileServicesSignInCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "mobile-services",
      abstract: "At Azure Mobile Services (version 1) or App Service.",
      discussion: """
        Examples:
          claims-client sign-in mobile-services --server https://app.example/ \\
            --api-version 2.0.0 --provider google

        With --user-name at an account of the app's own. With --provider and a token of its library by \
        exchanging that token. With --provider alone through the browser: prints an address, and reads \
        from standard input the address at which the browser ends.
        At version 1 that address is not tied to this sign-in: the command tests its token at --table, \
        shows the user that it signs in, and stores the session only after the word yes on the next \
        line of standard input.
        """)

    @OptionGroup var app: MobileAppOptions

    @Option(
      help: ArgumentHelp("facebook, google, microsoftaccount, twitter or aad.", valueName: "NAME"))
    var provider: String?

    @Option(
      help: ArgumentHelp("A file with the provider's token.", valueName: "FILE"),
      completion: .file())
    var tokenFile: String?

    @Option(help: ArgumentHelp("An environment variable with it.", valueName: "NAME"))
    var tokenEnv: String?

    @Option(
      help: ArgumentHelp("Twitter: a file with the token's secret.", valueName: "FILE"),
      completion: .file())
    var tokenSecretFile: String?

    @Option(help: ArgumentHelp("Accounts of the app's own: their table.", valueName: "TABLE"))
    var accounts = "Accounts"

    @Option(
      help: ArgumentHelp(
        "Version 1, browser: a table that signed-in people may read; default that of --accounts.",
        valueName: "TABLE"))
    var table: String?

    @Option(
      help: ArgumentHelp(
        "App Service, browser: the scheme of the address at which it ends.", valueName: "SCHEME"))
    var callbackScheme = "claims-client"

    @OptionGroup var person: PasswordOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var network: NetworkOptions

    func validate() throws {
      guard (provider == nil) != (person.userName == nil) else {
        throw ValidationError("one of --provider and --user-name is needed")
      }
      guard provider != nil || (tokenFile == nil && tokenEnv == nil && tokenSecretFile == nil)
      else { throw ValidationError("a provider's token needs --provider") }
      guard tokenSecretFile == nil || provider == MobileProvider.twitter.rawValue else {
        throw ValidationError("--token-secret-file needs --provider twitter")
      }
      guard table == nil || app.isVersion1 && provider != nil else {
        throw ValidationError("--table is for version 1 through the browser, with --provider")
      }
    }

    func run() async throws {
      let kept = try store.openForSignIn()
      let service = try app.service()
      let kind = StoredService(.mobileServices, [.server: app.server, .apiVersion: app.apiVersion])
      try store.checkPlace(of: kind, in: kept)
      let transport = try network.transport()
      let provider = provider.map { MobileProvider(rawValue: $0) }
      let outcome = try await signIn(service, provider, transport)
      await transport.shutdown()
      switch outcome {
      case .signedIn(let user):
        try await store.keep(
          user.session(at: service, provider: provider, now: SystemTime().now), of: kind, in: kept)
      case .refused(let message):
        throw TokenError(
          .clientSignInRefused, node: provider?.rawValue ?? accounts,
          found: TokenError.excerpt(message.text))
      }
    }

    private func signIn(
      _ service: MobileService, _ provider: MobileProvider?, _ transport: any HTTPTransport
    ) async throws -> MobileSignIn {
      guard let provider else {
        let name = person.userName ?? ""
        return try await CustomAccounts(service, .table(accounts)).logIn(
          userName: name, password: try person.password(of: name), over: transport)
      }
      if let token = try SecretSource.optional("token", file: tokenFile, environment: tokenEnv) {
        return try await service.signIn(
          with: try credential(provider, token), over: transport)
      }
      if app.apiVersion != nil {
        let signIn = try EasyAuthSignIn(service, by: provider, scheme: callbackScheme)
        return try await signIn.finish(try Self.end(signIn.start), over: transport)
      }
      let signIn = try BrowserSignIn(service, by: provider)
      let outcome = try await signIn.outcome(
        ofNavigationTo: try Self.end(signIn.start), tryingAt: table ?? accounts, over: transport)
      guard let outcome else {
        throw TokenError(.clientState, expected: "the address that ends with /login/done#token=…")
      }
      if case .signedIn(let user) = outcome { try Self.confirm(user) }
      return outcome
    }

    /// Prompts whether the address comes from the person's own browser.
    /// - Throws: `session.cancelled` for anything but yes.
    private static func confirm(_ user: MobileUser) throws {
      let name = TokenError.excerpt(user.id)
      let question =
        "This address signs in \(name). Did your own browser end there just now? (yes/no) "
      guard Terminal.ask(question) == "yes" else {
        throw TokenError(.sessionCancelled)
      }
    }

    /// Reads the address at which the browser ended, without echo: it may contain a token.
    private static func end(_ start: HTTPURL) throws -> String {
      SignInCommand.show(start.text)
      let question = "The address at which the browser ends: "
      let line =
        Terminal.isThere
        ? Terminal.askSecretly(question)?.revealed : Terminal.ask(question)
      guard let line, !line.isEmpty else { throw TokenError(.sessionCancelled) }
      return line
    }

    private func credential(
      _ provider: MobileProvider, _ token: Secret
    ) throws -> ProviderCredential {
      switch provider {
      case .facebook: return .facebook(accessToken: token)
      case .google: return .google(idToken: token)
      case .microsoftAccount: return .microsoftAccount(accessToken: token)
      case .azureActiveDirectory: return .azureActiveDirectory(accessToken: token)
      case .twitter:
        return .twitter(
          accessToken: token,
          accessTokenSecret: try SecretSource.secret(
            "token-secret", file: tokenSecretFile, environment: nil))
      default:
        throw CommandFailure(.usage, "tokens of this --provider cannot be exchanged")
      }
    }
  }
#endif
