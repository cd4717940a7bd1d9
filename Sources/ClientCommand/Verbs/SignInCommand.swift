#if Client
  import ArgumentParser
  import AsyncHTTPClientTransport
  import Federation
  import FederationClient
  import HTTPExchange
  import LoopbackListener

  /// `claims-client sign-in`
  struct SignInCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "sign-in",
      abstract: "Signs a person in through the browser and keeps the session.",
      discussion: """
        Prints an address for the browser on standard error and waits on 127.0.0.1 for the browser to \
        come back. The token is verified against the trust file before anything of it is kept or shown.
        """)

    @OptionGroup var service: ServiceOptions
    @OptionGroup var trust: TrustOption
    @OptionGroup var store: StoreOptions
    @OptionGroup var network: NetworkOptions

    @Option(help: "The provider to use without asking, as its claim names it (`whr`).")
    var provider: String?

    @Option(help: "How the relying party's services want to see the token.")
    var scheme: SchemeArgument = .bearer

    @Option(help: "Seconds to wait for the browser.")
    var timeout: Int64 = 300

    @Option(help: "The path at which the browser comes back.")
    var path = "/signin"

    func validate() throws {
      guard (1...3600).contains(timeout) else {
        throw ValidationError("--timeout is 1 to 3600 seconds")
      }
      guard path.hasPrefix("/") else { throw ValidationError("--path begins with /") }
    }

    func run() async throws {
      let transport = try network.transport()
      let kept = try store.open()
      let client = AccessControlClient(
        try service.service(), trust: try trust.load(), transport: transport, time: SystemTime(),
        observer: network.observer)
      var signIn = LoopbackSignIn(listener: LoopbackListener(), time: SystemTime())
      signIn.timeout = timeout
      signIn.path = path
      let outcome = try await client.signIn(
        scheme: scheme.value, request: PassiveRequest(whr: provider), through: signIn,
        open: { address in
          Talk.write("Open this address in a browser to sign in:\n\(address.text)")
        })
      await transport.shutdown()
      guard case .signedIn(let session) = outcome else {
        throw TokenError(.sessionCancelled)
      }
      let current = CurrentSession(
        account: store.account, store: kept, renewal: .logOut, time: SystemTime())
      try await current.signIn(session)
      Results.write(Shown.session(session, account: store.account, at: SystemTime().now))
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
