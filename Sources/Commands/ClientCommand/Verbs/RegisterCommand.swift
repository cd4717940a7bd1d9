#if Client
  import ArgumentParser
  import CommandSupport
  import Federation
  import FederationClient
  import FederationNetwork
  import HTTPExchange
  import TokenBasics

  /// `claims-client register`
  struct RegisterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "register",
      abstract: "Registers an account of the app's own at Azure Mobile Services or App Service.",
      discussion: """
        Examples:
          claims-client register --server https://app.example/ --api-version 2.0.0 \\
            --user-name ada

        Nobody is signed in afterwards: `sign-in mobile-services --user-name` does that.
        """)

    @OptionGroup var app: MobileAppOptions

    @Option(help: ArgumentHelp("The table of the accounts.", valueName: "TABLE"))
    var accounts = "Accounts"

    @Option(
      help: ArgumentHelp("The e-mail address, if the app requires one.", valueName: "ADDRESS"))
    var email: String?

    @OptionGroup var person: PasswordOptions
    @OptionGroup var network: NetworkOptions

    func validate() throws {
      guard person.userName != nil else { throw ValidationError("--user-name is needed") }
    }

    func run() async throws {
      let service = try app.service()
      let name = person.userName ?? ""
      let fields = AccountFields(
        userName: name, password: try person.password(of: name), email: email)
      let transport = try network.transport()
      let outcome = try await CustomAccounts(service, .table(accounts)).register(
        fields, over: transport)
      await transport.shutdown()
      guard case .registered(let user) = outcome else {
        guard case .refused(let message) = outcome else { return }
        throw TokenError(
          .clientSignInRefused, node: accounts, found: TokenError.excerpt(message.text))
      }
      var json = JSONWriter()
      json.object { json in
        json.member("registered", name)
        if let user { json.member("subject", user.id) }
      }
      try Results.write(line: json.bytes)
    }
  }
#endif
