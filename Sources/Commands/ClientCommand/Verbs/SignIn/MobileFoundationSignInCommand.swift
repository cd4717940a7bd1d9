#if Client
  import ArgumentParser
  import Federation
  import FederationClient
  import FederationNetwork
  import HTTPExchange
  import TokenBasics

  /// `claims-client sign-in mobile-foundation`
  struct MobileFoundationSignInCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "mobile-foundation",
      abstract: "At a Mobile Foundation server.",
      discussion: """
        Examples:
          claims-client sign-in mobile-foundation \\
            --server https://mfp.example/mfp/api --application org.example.talks \\
            --application-version 1.0 --device laptop-1

        Registers this installation once and stores its key with the sessions, and answers one security \
        check with a user name and a password. There is no prompt if the server remembers the person.
        """)

    @Option(help: ArgumentHelp("The address of the API, such as …/mfp/api.", valueName: "URL"))
    var server: String

    @Option(
      help: ArgumentHelp(
        "The application as it is registered, such as org.example.talks.", valueName: "ID"))
    var application: String

    @Option(help: ArgumentHelp("Its version.", valueName: "VERSION"))
    var applicationVersion: String

    @Option(help: ArgumentHelp("Its platform.", valueName: "NAME"))
    var platform = "linux"

    @Option(
      help: ArgumentHelp("The identifier of this device; the same at each run.", valueName: "ID"))
    var device: String

    @Option(
      help: ArgumentHelp(
        "The scope of the token; default that of every registered client.", valueName: "SCOPE"))
    var scope: String?

    @Option(help: ArgumentHelp("The security check to answer.", valueName: "NAME"))
    var securityCheck = "UserLogin"

    @Flag(help: "Ask the check to remember the person.")
    var rememberMe = false

    @OptionGroup var person: PasswordOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var network: NetworkOptions

    func run() async throws {
      let kept = try store.openForSignIn()
      let kind = StoredService(
        .mobileFoundation,
        [
          .server: server, .application: application, .applicationVersion: applicationVersion,
          .platform: platform, .device: device, .securityCheck: securityCheck,
        ])
      try store.checkPlace(of: kind, in: kept)
      let base = try HTTPURL(server)
      let transport = try network.transport()
      let client = MobileFoundation(
        base: base,
        application: MobileApplication(
          id: application, platform: platform, version: applicationVersion),
        device: MobileDevice(id: device, platform: platform),
        identities: CredentialIdentityStore(
          kept, name: "identity of \(application) at \(base.origin)"),
        over: transport, time: SystemTime(), observer: network.observer)
      let answers = CheckAnswers(person, rememberMe: rememberMe)
      await client.registerChallengeHandler(answers, forSecurityCheck: securityCheck)
      let token: MobileAccessToken
      do {
        token = try await client.obtainAccessToken(forScope: scope)
      } catch {
        throw answers.failure ?? error
      }
      await transport.shutdown()
      let now = SystemTime().now
      var session = Session(
        principal: Principal(
          authority: base.origin.description,
          subject: answers.user?.id ?? person.userName ?? device),
        credential: Credential(.bearer, token.value), expires: token.expires, signedInAt: now)
      session.details["scope"] = token.scope
      try await store.keep(session, of: kind, in: kept)
    }
  }
#endif
