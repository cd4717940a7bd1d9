import Claims
import ClientScript
import FederationClient
import HTTPExchange
import SecrecyTesting
import TestSupport
import Testing
import TokenBasics

@Suite("Stories of Mobile Services")
struct MobileStoryTests {
  @Test("S0 First launch, sign-in, restart without a sign-in, log-out, restart signed out")
  func story() async throws {
    let server = MobileFixtures.server(taking: "good")
    let service = try MobileFixtures.v1()
    let store = MemoryCredentialStore()
    let time = StillTime()
    func launch() -> CurrentSession {
      CurrentSession(
        account: "talks", store: store, renewal: .logOut, time: time, observer: SecrecyObserver())
    }
    // First launch: no session.
    let first = launch()
    #expect(try await first.restore() == nil)
    let flow = try BrowserSignIn(service, by: .facebook)
    let end =
      "https://talks.example.net/login/done#token=%7B%22user%22%3A%7B%22userId%22%3A%22Facebook%3A1%22%7D%2C%22authenticationToken%22%3A%22good%22%7D"
    guard case .signedIn(let user)? = try flow.answer(in: end) else {
      Issue.record("no user")
      return
    }
    try await first.signIn(user.session(at: service, provider: flow.provider, now: time.now))
    // Restart: the saved user is current without any request, provider and all.
    let second = launch()
    let restored = try #require(try await second.restore())
    #expect(restored.principal.subject == "Facebook:1")
    #expect(restored.provider == "facebook")
    #expect(server.requests.isEmpty)
    let filter = AuthorizedTransport(
      MobileServiceTransport(server, service: service), session: second, origin: service.origin)
    #expect(try await filter.response(to: MobileFixtures.request()).status == 200)
    // Log-out in the store; only the provider's cookies are listed.
    try await second.logOut()
    #expect(MobileProvider(rawValue: restored.provider ?? "").cookieDomains == ["facebook.com"])
    #expect(service.providerSignOutAddresses(of: restored).isEmpty)
    #expect(try await launch().restore() == nil)
    await expect(throws: TokenError(.sessionNone)) {
      try await filter.response(to: MobileFixtures.request())
    }
    // A stale token on an anonymous call would make it a 401: without a session there is none.
    let anonymous = MobileServiceTransport(server, service: service)
    _ = try await anonymous.response(to: MobileFixtures.request())
    #expect(server.requests.last?.fields["X-ZUMO-AUTH"] == nil)
  }

  @Test("S0 A custom account: register, restart, log out, log in again")
  func customStory() async throws {
    let server = ScriptedServer { request, _ in
      switch request.url.target {
      case "/tables/Accounts?login=true", "/tables/Accounts":
        .json(#"{"userId":"Custom:42","token":"good"}"#, status: 201)
      default: request.fields["X-ZUMO-AUTH"] == "good" ? .json("1") : .answer(401)
      }
    }
    let service = try MobileFixtures.v1()
    let store = MemoryCredentialStore()
    let accounts = CustomAccounts(service)
    let password = Secret("p4ssw0rd-demo")
    let registration = try await accounts.register(
      AccountFields(userName: "mia", password: password), over: server)
    guard case .registered(let user?) = registration else {
      Issue.record("not registered")
      return
    }
    let time = StillTime()
    let current = CurrentSession(
      account: "talks", store: store, renewal: .logOut, time: time, observer: SecrecyObserver())
    try await current.signIn(user.session(at: service, provider: nil, now: time.now))
    let restarted = CurrentSession(
      account: "talks", store: store, renewal: .logOut, time: time, observer: SecrecyObserver())
    #expect(try await restarted.restore()?.provider == nil)
    #expect(await restarted.session?.principal.subject == "Custom:42")
    try await restarted.logOut()
    guard
      case .signedIn(let again) = try await accounts.logIn(
        userName: "mia", password: password, over: server)
    else {
      Issue.record("not signed in")
      return
    }
    #expect(again.id == "Custom:42")
  }

  @Test("S0 /.auth/me returns the person's identity at each provider, without revealing tokens")
  func me() async throws {
    let server = ScriptedServer(
      .json(
        #"""
        [{"provider_name":"facebook","user_id":"mia@example.org",
          "user_claims":[{"typ":"http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier","val":"100004711"}],
          "access_token":"fb-secret","expires_on":"2030-01-01T00:00:00.0000000Z"}]
        """#))
    let service = try MobileFixtures.appService()
    let session = MobileFilterTests.user("t").session(
      at: service, provider: .facebook, now: StillTime().now)
    let identities = try await service.identities(of: session, over: server)
    let identity = try #require(identities.first)
    #expect(identity.provider == "facebook")
    #expect(
      identity.claims["http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier"]
        == ["100004711"])
    #expect(identity.claims.first?.issuer == "facebook")
    #expect(identity.accessToken?.revealed == "fb-secret")
    #expect(identity.expires?.rfc3339 == "2030-01-01T00:00:00Z")
    #expect(!"\(identities)".contains("fb-secret"))
    let request = try #require(server.requests.first)
    #expect(request.url.path == "/.auth/me")
    #expect(request.fields["X-ZUMO-AUTH"] == "t")
  }

  @Test("S0 /.auth/me without a token store, without a person, and with nonsense")
  func meElse() async throws {
    let service = try MobileFixtures.appService()
    let session = MobileFilterTests.user("t").session(
      at: service, provider: .facebook, now: StillTime().now)
    let none = try await service.identities(of: session, over: ScriptedServer(.json("[]")))
    #expect(none.isEmpty)
    let cases: [(HTTPResponse, TokenError.Code)] = [
      (.answer(404), .clientIdentities), (.answer(401), .sessionOver),
      (.answer(500), .transportStatus),
      (.json("{}"), .transportMalformedResponse), (.html(), .transportMalformedResponse),
      (.json(#"[{"user_id":"x"}]"#), .transportMalformedResponse),
    ]
    for (answer, code) in cases {
      await expect(throws: TokenError(code)) {
        try await service.identities(of: session, over: ScriptedServer(answer))
      }
    }
  }

  @Test("S0 A version 1 script returns identities keyed by provider")
  func legacy() throws {
    let body =
      #"{"facebook":{"userId":"Facebook:100004711","accessToken":"fb-secret","name":"Mia"},"twitter":{"userId":"Twitter:7","accessToken":"a","accessTokenSecret":"b"}}"#
    let identities = try ProviderIdentity.legacy(Array(body.utf8))
    #expect(identities.map(\.userID) == ["Facebook:100004711", "Twitter:7"])
    #expect(identities[0].claims["name"] == ["Mia"])
    #expect(identities[1].accessTokenSecret?.revealed == "b")
  }

  @Test("S0 Log-out at App Service has an address for the browser and a call for the server")
  func signOut() async throws {
    let service = try MobileFixtures.appService()
    let session = MobileFilterTests.user("t").session(
      at: service, provider: .facebook, now: StillTime().now)
    #expect(
      service.providerSignOutAddresses(of: session)
        == ["https://talks.example.net/.auth/logout"])
    let server = ScriptedServer(.answer(302, [("Location", "/.auth/logout/complete")]))
    try await service.endSession(session, over: server)
    #expect(server.requests.map(\.url.path) == ["/.auth/logout"])
    let silent = ScriptedServer(.answer(500))
    try await MobileFixtures.v1().endSession(session, over: silent)
    #expect(silent.requests.isEmpty)
  }

  @Test("RP-9 No description or error contains a password, a token or a key")
  func secrecy() async throws {
    let service = try MobileFixtures.v1()
    var said = ""
    let fields = AccountFields(userName: "mia", password: Secret("p4ssw0rd-demo"))
    dump(service, to: &said)
    dump(fields, to: &said)
    dump(ProviderCredential.facebook(accessToken: Secret("fb-secret")), to: &said)
    dump(MobileFilterTests.user("zumo-secret"), to: &said)
    func echoing(_ secret: String) -> ScriptedServer {
      ScriptedServer(.json(#"{"code":401,"error":"No: \#(secret)"}"#, status: 401))
    }
    let accounts = CustomAccounts(service)
    dump(try await accounts.register(fields, over: echoing("p4ssw0rd-demo")), to: &said)
    let facebook = ProviderCredential.facebook(accessToken: Secret("fb-secret"))
    dump(try await service.signIn(with: facebook, over: echoing("fb-secret")), to: &said)
    let flow = try EasyAuthSignIn(MobileFixtures.appService(), by: .google, scheme: "talks")
    dump(flow, to: &said)
    said += try await brokenEnds()
    for secret in ["p4ssw0rd-demo", "zumo-secret", "fb-secret", MobileFixtures.key] {
      #expect(!said.contains(secret), "\(secret)")
    }
    #expect(said.contains("***"))
  }

  private func brokenEnds() async throws -> String {
    var said = ""
    let flow = try BrowserSignIn(MobileFixtures.v1(), by: .facebook)
    for fragment in ["#token=zumo-secret", "#token=%7B%22zumo-secret%22:1,%22zumo-secret%22:2%7D"] {
      do throws(TokenError) {
        _ = try flow.answer(in: "https://talks.example.net/login/done" + fragment)
      } catch {
        said += "\(error)"
      }
    }
    return said
  }
}
