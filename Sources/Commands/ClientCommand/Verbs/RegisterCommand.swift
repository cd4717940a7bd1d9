#if Client
  import ArgumentParser
  import FederationNetwork
  import CommandSupport
  import Federation
  import FederationClient
  import HTTPExchange
  import Octets

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

    @Option(help: ArgumentHelp("The address of the app.", valueName: "URL"))
    var server: String

    @Option(
      help: ArgumentHelp("Version 1: a file with the application key.", valueName: "FILE"),
      completion: .file())
    var applicationKeyFile: String?

    @Option(
      help: ArgumentHelp(
        "Version 1: an environment variable with the application key.", valueName: "NAME"))
    var applicationKeyEnv: String?

    @Option(
      help: ArgumentHelp(
        "App Service: the version of its API, such as 2.0.0.", valueName: "VERSION"))
    var apiVersion: String?

    @Option(help: ArgumentHelp("The table of the accounts.", valueName: "TABLE"))
    var accounts = "Accounts"

    @Option(
      help: ArgumentHelp("The e-mail address, if the app requires one.", valueName: "ADDRESS"))
    var email: String?

    @OptionGroup var person: PasswordOptions
    @OptionGroup var network: NetworkOptions

    func validate() throws {
      guard person.userName != nil else { throw ValidationError("--user-name is needed") }
      guard (applicationKeyFile != nil || applicationKeyEnv != nil) != (apiVersion != nil) else {
        throw ValidationError("an application key or --api-version is needed, not both")
      }
    }

    func run() async throws {
      let address = try HTTPURL(server)
      let dialect: MobileService.Dialect =
        if let apiVersion {
          .appService(version: apiVersion)
        } else {
          .mobileServices(
            applicationKey: try SecretSource.secret(
              "application-key", file: applicationKeyFile, environment: applicationKeyEnv))
        }
      let service = try MobileService(at: address, dialect)
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
