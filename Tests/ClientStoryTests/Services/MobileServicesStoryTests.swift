#if Client
  import FederationNetwork
  import Federation
  import FederationClient
  import Foundation
  import HTTPExchange
  import SimulatedService
  import Simulators
  import SimulatorHost
  import TestSupport
  import Testing

  @Suite("Mobile Services and App Service, over sockets")
  struct MobileServicesStoryTests {
    static let applicationKey = "application-key-11"
    static let providerToken = "facebook-token|secret"
    static let password = "p4ssw0rd-demo"

    struct Stage: Sendable {
      let server: MobileServicesServer
      let host: SimulatorHost
      let service: MobileService
      let transport: AsyncHTTPClientTransport
      let time: ManualTime
      let evidence: Evidence
      let store: FileCredentialStore

      var browser: Browser { Browser(transport: transport) }

      func current(_ renewal: Renewal) -> CurrentSession {
        CurrentSession(
          account: "talks", store: store, renewal: renewal, time: time,
          observer: evidence.observer)
      }

      func authorized(_ current: CurrentSession) -> AuthorizedTransport {
        AuthorizedTransport(
          MobileServiceTransport(transport, service: service), session: current,
          origin: host.base.origin)
      }

      func insert(_ title: String, _ transport: AuthorizedTransport) async throws -> Int {
        try await transport.response(
          to: HTTPRequest(
            .post, try host.base.at(path: "/tables/talks"),
            body: Array(#"{"title":"\#(title)"}"#.utf8))
        ).status
      }
    }

    static func play(
      isAppService: Bool, _ story: @escaping @Sendable (Stage) async throws -> Void
    ) async throws {
      let time = ManualTime()
      let made = Mutexed<MobileServicesServer?>(nil)
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let path = folder.appending(path: "credentials").path()
      try await SimulatorHost.serving { base in
        let server = MobileServicesServer(
          base: base,
          dialect: isAppService
            ? .appService : .mobileServices(applicationKey: applicationKey),
          time: time, providerToken: providerToken)
        made.withLock { $0 = server }
        return server
      } _: { host in
        guard let server = made.current else { throw Browser.Lost() }
        let transport = try AsyncHTTPClientTransport()
        let evidence = Evidence()
        let service = try MobileService(
          at: host.base,
          isAppService
            ? .appService(version: "2.0.0")
            : .mobileServices(applicationKey: Secret(applicationKey)))
        evidence.hide(applicationKey, providerToken, password)
        try await story(
          Stage(
            server: server, host: host, service: service, transport: transport, time: time,
            evidence: evidence,
            store: FileCredentialStore(
              path: path, key: .passphrase(Secret("correct horse battery")), cost: 1 << 10)))
        evidence.hide(server.tokens)
        #expect(host.journal.refusals == [])
        evidence.search(isAppService ? "App Service" : "Mobile Services")
        await transport.shutdown()
      }
    }

    @Test("First launch, sign-in, an expired token, restart, log-out", arguments: [false, true])
    func provider(isAppService: Bool) async throws {
      try await Self.play(isAppService: isAppService) { stage async throws in
        // First launch: no session.
        let prompts = Mutexed(0)
        let signIn: Renewal.SignIn = { session throws(TokenError) in
          prompts.withLock { $0 += 1 }
          guard let user = try? await Self.browserUser(stage) else {
            throw TokenError(.transportUnreachable)
          }
          return .signedIn(
            user.session(at: stage.service, provider: .facebook, now: stage.time.now))
        }
        let user = try await Self.browserUser(stage)
        let session = user.session(at: stage.service, provider: .facebook, now: stage.time.now)
        stage.evidence.add(session)
        let renewal = stage.service.renewal(
          for: session, over: stage.transport, signIn: signIn)
        let current = stage.current(renewal)
        #expect(try await current.restore() == nil)
        try await current.signIn(session)
        #expect(try await stage.insert("first", stage.authorized(current)) == 201)
        // The token expires: version 1 prompts, App Service refreshes without a prompt.
        stage.server.expireTokens()
        #expect(try await stage.insert("second", stage.authorized(current)) == 201)
        #expect(prompts.current == (isAppService ? 0 : 1))
        #expect(stage.server.refreshes == (isAppService ? 1 : 0))
        #expect(stage.server.items == ["first", "second"])
        // The next launch needs no sign-in.
        let later = stage.current(renewal)
        let restored = try #require(try await later.restore())
        #expect(restored.principal.subject == "Facebook:100004711")
        #expect(try await stage.insert("third", stage.authorized(later)) == 201)
        if isAppService {
          let identities = try await stage.service.identities(
            of: restored, over: stage.transport)
          #expect(identities.first?.accessToken?.revealed == Self.providerToken)
          stage.evidence.add(identities)
        }
        // Log-out: at the service, at the provider, in the store.
        try await stage.service.endSession(restored, over: stage.transport)
        #expect(stage.server.logouts == (isAppService ? 1 : 0))
        try await later.logOut()
        let last = stage.current(renewal)
        #expect(try await last.restore() == nil)
        await stage.evidence.expect(.sessionNone) {
          try await stage.insert("fourth", stage.authorized(last))
        }
        #expect(stage.server.items.count == 3)
      }
    }

    static func browserUser(_ stage: Stage) async throws -> MobileUser {
      let signIn = try BrowserSignIn(stage.service, by: .facebook)
      guard case .address(let end) = try await stage.browser.open(signIn.start.text),
        case .signedIn(let user) = try await signIn.outcome(
          ofNavigationTo: end, tryingAt: "talks", over: stage.transport)
      else { throw Browser.Lost() }
      return user
    }

    @Test("A provider's own token and a proof key give a session too; a wrong token does not")
    func clientFlows() async throws {
      try await Self.play(isAppService: true) { stage async throws in
        guard
          case .signedIn(let user) = try await stage.service.signIn(
            with: .facebook(accessToken: Secret(Self.providerToken)), over: stage.transport)
        else { throw Browser.Lost() }
        stage.evidence.add(user)
        let proof = try EasyAuthSignIn(stage.service, by: .facebook, scheme: "talks")
        guard case .address(let back) = try await stage.browser.open(proof.start.text),
          case .signedIn(let other) = try await proof.finish(back, over: stage.transport)
        else { throw Browser.Lost() }
        #expect(other.id == user.id)
        stage.evidence.add(proof)
        guard
          case .refused(let message) = try await stage.service.signIn(
            with: .facebook(accessToken: Secret("wrong-token")), over: stage.transport)
        else { throw Browser.Lost() }
        #expect(message.text == "Error: The Facebook access token is not valid.")
        stage.evidence.add(message)
        stage.evidence.hide("wrong-token")
        let signIn = try BrowserSignIn(
          stage.service, by: .facebook, parameters: [("display", "denied")])
        guard case .address(let end) = try await stage.browser.open(signIn.start.text),
          case .refused(let words) = try await signIn.outcome(
            ofNavigationTo: end, tryingAt: "talks", over: stage.transport)
        else { throw Browser.Lost() }
        #expect(words.text == "Error: Logging in with facebook is not enabled.")
      }
    }

    @Test("A custom account registers, logs in, and is never prompted for")
    func customAccount() async throws {
      try await Self.play(isAppService: false) { stage async throws in
        let accounts = CustomAccounts(stage.service)
        let short = AccountFields(userName: "mia", password: Secret("short"))
        #expect(short.problems() == [.passwordTooShort(minimum: 8)])
        guard case .refused(let words) = try await accounts.register(short, over: stage.transport)
        else { throw Browser.Lost() }
        #expect(words.text == "Invalid password (at least 8 chars required)")
        let fields = AccountFields(
          userName: "mia", password: Secret(Self.password), email: "mia@example.org")
        guard
          case .registered(let user?) = try await accounts.register(fields, over: stage.transport)
        else { throw Browser.Lost() }
        stage.evidence.add(user)
        guard case .refused(let taken) = try await accounts.register(fields, over: stage.transport)
        else { throw Browser.Lost() }
        #expect(taken.text == "Username already exists")
        guard
          case .refused(let wrong) = try await accounts.logIn(
            userName: "mia", password: Secret("not-the-password"), over: stage.transport)
        else { throw Browser.Lost() }
        #expect(wrong.text == "Incorrect username or password")
        stage.evidence.add(wrong)
        stage.evidence.hide("not-the-password")
        guard
          case .signedIn(let again) = try await accounts.logIn(
            userName: "mia", password: Secret(Self.password), over: stage.transport)
        else { throw Browser.Lost() }
        let session = again.session(at: stage.service, provider: nil, now: stage.time.now)
        let current = stage.current(stage.service.renewal(for: session, over: stage.transport))
        try await current.signIn(session)
        #expect(try await stage.insert("mine", stage.authorized(current)) == 201)
        stage.server.expireTokens()
        await stage.evidence.expect(.sessionOver) {
          try await stage.insert("late", stage.authorized(current))
        }
        // The last request was the log-out.
        #expect(await current.session == nil)
        #expect(try stage.store.read().sessions.isEmpty)
        #expect(stage.server.items == ["mine"])
      }
    }
  }
#endif
