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

  @Suite("oPRO, over sockets")
  struct OPROStoryTests {
    static let clientSecret = "14321myClientSecret8765"
    static let password = "p4ssw0rd-of-foo"

    @Test(
      "First launch, sign-in, profile, an expired token, restart, log-out",
      arguments: [nil, 600] as [Int64?])
    func story(lifetime: Int64?) async throws {
      let time = ManualTime()
      let server = OPROServer(
        clientSecret: Self.clientSecret, password: Self.password, time: time, lifetime: lifetime)
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let store = FileCredentialStore(
        path: folder.appending(path: "credentials").path(),
        key: .passphrase(Secret("correct horse battery")), cost: 1 << 10)
      try await SimulatorHost.serving { _ in
        server
      } _: { host in
        let transport = try AsyncHTTPClientTransport()
        let evidence = Evidence()
        evidence.hide(Self.clientSecret, Self.password)
        let service = try OPROService(
          at: host.base, clientID: OPROServer.clientID, clientSecret: Secret(Self.clientSecret))
        let renewal = service.renewal(over: transport, time: time)
        func current() -> CurrentSession {
          CurrentSession(
            account: "opro", store: store, renewal: renewal, time: time,
            observer: evidence.observer)
        }
        // First launch: no session; a wrong password; the right one.
        let first = current()
        #expect(try await first.restore() == nil)
        await evidence.expect(.clientPassword) {
          try await service.exchange(
            .password(userName: "foo@example.com", Secret("wrong-password")), over: transport,
            now: time.now)
        }
        let stranger = try OPROService(
          at: host.base, clientID: OPROServer.clientID,
          clientSecret: Secret("another-client-secret"))
        await evidence.expect(.clientApplication) {
          try await stranger.exchange(
            .password(userName: "foo@example.com", Secret(Self.password)), over: transport,
            now: time.now)
        }
        evidence.hide("wrong-password", "another-client-secret")
        let tokens = try await service.exchange(
          .password(userName: "foo@example.com", Secret(Self.password)), over: transport,
          now: time.now)
        evidence.add(tokens)
        evidence.hide(server.tokens)
        #expect((tokens.expires == nil) == (lifetime == nil))
        try await first.signIn(service.session(tokens, subject: "1", now: time.now))
        let authorized = AuthorizedTransport(
          OPROTransport(transport), session: first, origin: host.base.origin)
        #expect(try await service.diagnose(over: authorized).isWorking)
        #expect(try await service.profile(over: authorized).email == "foo@example.com")
        let wanted = ["email": "awesome@example.com", "twitter": "schneems", "zip": "11111"]
        let changed = try await service.update(wanted, over: authorized)
        #expect(changed.email == "awesome@example.com")
        #expect(changed.dropped(of: wanted) == ["zip"])
        // The token expires: one refresh, the same request again.
        if let lifetime { time.advance(bySeconds: lifetime + 1) } else { server.expireToken() }
        #expect(try await service.profile(over: authorized).email == "awesome@example.com")
        evidence.hide(server.tokens)
        #expect(evidence.spans("session.renew") == 1)
        await evidence.expect(.sessionRenewalRefused) {
          try await service.exchange(
            .refreshToken(try #require(tokens.refreshToken)), over: transport, now: time.now)
        }
        // Another launch, another device.
        let later = current()
        let restored = try #require(try await later.restore())
        evidence.add(restored)
        let again = AuthorizedTransport(
          OPROTransport(transport), session: later, origin: host.base.origin)
        #expect(try await service.diagnose(over: again).isWorking)
        let device = try await service.exchange(
          .password(userName: "foo@example.com", Secret(Self.password)), over: transport,
          now: time.now)
        evidence.add(device)
        // That invalidated both tokens of this device.
        await evidence.expect(.sessionRenewalRefused) {
          try await service.profile(over: again)
        }
        #expect(try store.read().sessions.isEmpty)
        evidence.hide(server.tokens)
        #expect(host.journal.refusals == [])
        evidence.search("oPRO")
        await transport.shutdown()
      }
    }

    @Test("The consent page gives a code; a grant for reading does not allow writing")
    func consent() async throws {
      let time = ManualTime()
      let server = OPROServer(
        clientSecret: Self.clientSecret, password: Self.password, time: time)
      let page = ReturnPage()
      try await SimulatorHost.serving { _ in
        page
      } _: { returnHost in
        try await SimulatorHost.serving { _ in
          server
        } _: { host in
          let transport = try AsyncHTTPClientTransport()
          let evidence = Evidence()
          let service = try OPROService(
            at: host.base, clientID: OPROServer.clientID, clientSecret: Secret(Self.clientSecret))
          let redirect = try returnHost.base.at(path: "/opro")
          let signIn = try OPROBrowserSignIn(service, permissions: [.read], redirect: redirect)
          _ = try await Browser(transport: transport).open(signIn.start.text)
          let message = try #require(page.last)
          let back = try HTTPURL(redirect.text + "?" + (message.query ?? ""))
          let grant = try signIn.grant(from: back)
          let tokens = try await service.exchange(grant, over: transport, now: time.now)
          await evidence.expect(.clientCode) {
            try await service.exchange(grant, over: transport, now: time.now)
          }
          let current = CurrentSession(
            account: "opro", store: MemoryCredentialStore(), renewal: .logOut, time: time)
          try await current.signIn(service.session(tokens, subject: "1", now: time.now))
          let authorized = AuthorizedTransport(
            OPROTransport(transport), session: current, origin: host.base.origin)
          #expect(try await service.profile(over: authorized).id == 1)
          await evidence.expect(.clientPermission) {
            try await service.update(["twitter": "x"], over: authorized)
          }
          evidence.hide(Self.clientSecret)
          evidence.hide(server.tokens)
          #expect(host.journal.refusals == [])
          evidence.search("oPRO consent")
          await transport.shutdown()
        }
      }
    }
  }
#endif
