import ClientScript
import FederationClient
import HTTPExchange
import SecrecyTesting
import Simulators
import Synchronization
import TestSupport
import Testing
import TokenBasics

@Suite("oPRO")
struct OPROTests {
  static let now = StillTime().now
  static let clientSecret = "14321myClientSecret8765"
  static let secretPassword = "p4ssw0rd-demo"
  static let password = OPROGrant.password(
    userName: "foo@example.com", Secret(secretPassword))

  /// The server without a socket, and what it was asked.
  static func simulated(checksForgery: Bool = true) -> (OPROServer, ScriptedServer) {
    let simulator = OPROServer(
      clientSecret: clientSecret, password: secretPassword, time: StillTime(),
      checksForgery: checksForgery)
    return (simulator, ScriptedServer(simulator))
  }

  static func service(secret: String = clientSecret) throws -> OPROService {
    try OPROService(
      at: HTTPURL("https://opro.example.org"), clientID: OPROServer.clientID,
      clientSecret: Secret(secret))
  }

  static func filter(
    _ server: ScriptedServer, _ tokens: OPROTokens,
    store: MemoryCredentialStore = MemoryCredentialStore(), signIn: Renewal.SignIn? = nil
  ) async throws -> AuthorizedTransport {
    let service = try service()
    let time = StillTime()
    let current = CurrentSession(
      account: "opro", store: store,
      renewal: service.renewal(over: server, time: time, signIn: signIn), time: time,
      observer: SecrecyObserver())
    try await current.signIn(
      service.session(tokens, subject: "foo@example.com", now: time.now))
    return AuthorizedTransport(
      OPROTransport(server), session: current, origin: service.origin)
  }

  @Test("S2 A name and a password are exchanged for tokens, in a form")
  func password() async throws {
    let (_, server) = Self.simulated()
    let tokens = try await Self.service().exchange(Self.password, over: server, now: Self.now)
    #expect(tokens.accessToken.revealed == "9693access1a7ca570bbaf2a3d2b")
    #expect(tokens.refreshToken?.revealed == "3a3crefresh1b573de78e65af06c")
    #expect(tokens.expires == nil)
    let request = try #require(server.requests.first)
    #expect(request.url.text == "https://opro.example.org/oauth/token.json")
    #expect(request.fields["Content-Type"] == "application/x-www-form-urlencoded")
    #expect(
      request.form == [
        "email": "foo@example.com", "password": Self.secretPassword,
        "client_id": OPROServer.clientID, "client_secret": Self.clientSecret,
      ])
    _ = try? await Self.service().exchange(
      .password(userName: "foo", Secret("x")), over: server, now: Self.now)
    #expect(server.requests.last?.form["username"] == "foo")
  }

  @Test(
    "S2 expires_in is false, null, missing, a number or a number as text, and nothing else",
    arguments: [
      ("false", nil), ("null", nil), ("3600", 3600), (#""3600""#, 3600),
    ] as [(String, Int64?)])
  func expiry(text: String, seconds: Int64?) async throws {
    let server = ScriptedServer(
      .json(
        #"{"access_token":"a","token_type":"bearer","refresh_token":"r","expires_in":\#(text)}"#))
    let tokens = try await Self.service().exchange(Self.password, over: server, now: Self.now)
    #expect(tokens.expires == seconds.map { Self.now.advanced(bySeconds: $0) })
  }

  @Test(
    "RP-18 A token response that violates its protocol is rejected",
    arguments: [
      #"{"access_token":"a","token_type":"bearer","expires_in":true}"#,
      #"{"access_token":"a","token_type":"bearer","expires_in":-1}"#,
      #"{"access_token":"a","token_type":"bearer","expires_in":0}"#,
      #"{"access_token":"a","token_type":"bearer","expires_in":1e99}"#,
      #"{"access_token":"a","token_type":"mac"}"#, #"{"access_token":"a"}"#,
      #"{"access_token":false,"token_type":"bearer"}"#,
      #"{"access_token":"a","token_type":"bearer","refresh_token":7}"#,
      #"{"access_token":"a","access_token":"b","token_type":"bearer"}"#, "<html>", "[]",
    ])
  func strict(body: String) async throws {
    let error = await expect(throws: TokenError.self) {
      try await Self.service().exchange(
        Self.password, over: ScriptedServer(.json(body)), now: Self.now)
    }
    #expect(["transport", "input"].contains(error?.code.family))
  }

  @Test("RP-18 A page instead of tokens is refused; so is a redirect")
  func page() async throws {
    for (answer, code) in [
      (HTTPResponse.html(), TokenError.Code.transportMalformedResponse),
      (.answer(302, [("Location", "https://evil.example/")]), .transportRedirect),
      (.html(status: 500), .transportStatus),
    ] {
      await expect(throws: TokenError(code)) {
        try await Self.service().exchange(
          Self.password, over: ScriptedServer(answer), now: Self.now)
      }
    }
  }

  @Test("S2 Each part of the server's message is an error of its own, without the echoed secrets")
  func refusals() async throws {
    let (_, server) = Self.simulated()
    let refresh = OPROGrant.refreshToken(Secret("dead-refresh-secret"))
    let cases: [(String, OPROGrant, TokenError.Code)] = [
      ("wrong-client-secret", Self.password, .clientApplication),
      ("wrong-client-secret", refresh, .clientApplication),
      (Self.clientSecret, refresh, .sessionRenewalRefused),
      (Self.clientSecret, .code(Secret("dead-code-secret")), .clientCode),
      (
        Self.clientSecret, .password(userName: "foo@example.com", Secret("wrong-secret")),
        .clientPassword
      ),
    ]
    var said = ""
    for (secret, grant, code) in cases {
      let error = await expect(throws: TokenError.self) {
        try await Self.service(secret: secret).exchange(
          grant, over: server, now: Self.now)
      }
      #expect(error?.code == code)
      dump(error, to: &said)
      said += "\(error as Any)"
      dump(grant, to: &said)
      dump(try Self.service(secret: secret), to: &said)
    }
    for secret in [
      "wrong-client-secret", Self.clientSecret, "dead-refresh-secret", "dead-code-secret",
      "wrong-secret",
    ] {
      #expect(!said.contains(secret))
    }
  }

  @Test("S2 An empty field is never sent: the server would evaluate it")
  func emptyFields() async throws {
    let (_, server) = Self.simulated()
    let grants: [OPROGrant] = [
      .code(Secret("")), .refreshToken(Secret("")), .password(userName: "", Secret("x")),
      .password(userName: "x", Secret("")), .custom([("", Secret("x"))]),
    ]
    for grant in grants {
      await expect(throws: TokenError(.clientParameter)) {
        try await Self.service().exchange(grant, over: server, now: Self.now)
      }
    }
    #expect(server.requests.isEmpty)
    expect(throws: TokenError(.clientParameter)) { try Self.service(secret: "") }
  }

  @Test("S2 A user of Facebook signs in by the application's own hook")
  func custom() async throws {
    let (_, server) = Self.simulated()
    _ = try? await Self.service().exchange(
      .custom([("facebook_token", Secret("f"))]), over: server, now: Self.now)
    let form = try #require(server.requests.first).form
    #expect(form["grant_type"] == "bearer")
    #expect(form["facebook_token"] == "f")
  }

  @Test("S2 The token travels as Token token=\"…\"; the profile is returned")
  func profile() async throws {
    let (_, server) = Self.simulated()
    let service = try Self.service()
    let tokens = try await service.exchange(Self.password, over: server, now: Self.now)
    let filter = try await Self.filter(server, tokens)
    let profile = try await service.profile(over: filter)
    #expect(profile.id == 1)
    #expect(profile.attributes == ["email": "foo@example.com", "twitter": "foo"])
    #expect(
      server.requests.last?.fields["Authorization"]
        == #"Token token="9693access1a7ca570bbaf2a3d2b""#)
  }

  @Test("S2 A change is nested under user, and attributes that the server drops are listed")
  func update() async throws {
    let (_, server) = Self.simulated()
    let service = try Self.service()
    let tokens = try await service.exchange(Self.password, over: server, now: Self.now)
    let filter = try await Self.filter(server, tokens)
    let wanted = ["email": "awesome@example.com", "twitter": "schneems", "zip": "11111"]
    let profile = try await service.update(wanted, over: filter)
    #expect(profile.email == "awesome@example.com")
    #expect(profile.dropped(of: wanted) == ["zip"])
    let request = try #require(server.requests.last)
    #expect(request.method == .put)
    #expect(
      request.bodyText
        == #"{"user":{"email":"awesome@example.com","twitter":"schneems","zip":"11111"}}"#)
  }

  @Test("S2 Without the permission to write a change ends after one renewal")
  func readOnly() async throws {
    let (simulator, server) = Self.simulated(checksForgery: false)
    let service = try Self.service()
    let tokens = try await service.exchange(Self.password, over: server, now: Self.now)
    simulator.forbidWriting()
    let filter = try await Self.filter(server, tokens)
    await expect(throws: TokenError(.sessionOver)) {
      try await service.update(["email": "a@b.c"], over: filter)
    }
    #expect(server.requests.count { $0.url.path == "/users/me.json" } == 2)
    let forgery = ScriptedServer(.answer(422))
    await expect(throws: TokenError(.clientPermission)) {
      try await service.update(["email": "a@b.c"], over: forgery)
    }
  }

  @Test("S2 A hundred requests with an expired token: one refresh, stored before it is used")
  func refresh() async throws {
    let (simulator, server) = Self.simulated()
    let service = try Self.service()
    let first = try await service.exchange(Self.password, over: server, now: Self.now)
    let store = MemoryCredentialStore()
    let filter = try await Self.filter(
      server,
      OPROTokens(
        accessToken: Secret("stale"), refreshToken: first.refreshToken, expires: nil),
      store: store)
    let ids = await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<100 { group.addTask { try? await service.profile(over: filter).id } }
      return await group.reduce(into: [Int?]()) { $0.append($1) }
    }
    #expect(ids.allSatisfy { $0 == 1 })
    #expect(simulator.exchanges == 2)
    let kept = try store.read().sessions["opro"]
    #expect(kept?.credential.secret.revealed == "9693access2a7ca570bbaf2a3d2b")
    #expect(kept?.refreshToken?.revealed == "3a3crefresh2b573de78e65af06c")
  }

  @Test(
    "S2 Another device's login invalidates all tokens: the session ends, or the person signs in"
  )
  func rotated() async throws {
    let (simulator, server) = Self.simulated()
    let service = try Self.service()
    let tokens = try await service.exchange(Self.password, over: server, now: Self.now)
    simulator.signInElsewhere()
    let filter = try await Self.filter(server, tokens)
    await expect(throws: TokenError(.sessionRenewalRefused)) {
      try await service.profile(over: filter)
    }
    #expect(await filter.session.session == nil)
    let asking = try await Self.filter(server, tokens) { (session) throws(TokenError) in
      let fresh = try await service.exchange(Self.password, over: server, now: Self.now)
      return .signedIn(service.session(fresh, subject: session.principal.subject, now: Self.now))
    }
    #expect(try await service.profile(over: asking).id == 1)
  }

  @Test("S2 The login page is a 401; a redirect elsewhere is not; a rate limit renews nothing")
  func loginPage() async throws {
    func status(_ location: String) async throws -> Int {
      let server = ScriptedServer(.answer(302, [("Location", location)]))
      return try await OPROTransport(server).response(
        to: HTTPRequest(.get, HTTPURL("https://opro.example.org/x"))
      ).status
    }
    #expect(try await status("https://opro.example.org/users/sign_in") == 401)
    #expect(try await status("/users/sign_in?x=1") == 401)
    #expect(try await status("https://evil.example/users/sign_in") == 302)
    #expect(try await status("/elsewhere") == 302)
    let (simulator, server) = Self.simulated()
    let service = try Self.service()
    let tokens = try await service.exchange(Self.password, over: server, now: Self.now)
    simulator.limitRate()
    let filter = try await Self.filter(server, tokens)
    await expect(throws: TokenError(.clientRateLimited)) {
      try await service.profile(over: filter)
    }
    #expect(simulator.exchanges == 1)
  }

  @Test("S2 The diagnosis has the reasons, and nothing of the repeated secrets")
  func diagnosis() async throws {
    let (_, server) = Self.simulated()
    let service = try Self.service()
    let tokens = try await service.exchange(Self.password, over: server, now: Self.now)
    let good = try await Self.filter(server, tokens)
    let fine = try await service.diagnose(over: good)
    #expect(fine.isWorking)
    #expect(fine.userID == 1)
    #expect(fine.findings.isEmpty)
    let none = try await service.diagnose(over: OPROTransport(server))
    #expect(none.findings == [.noToken, .unknownToken])
    var stale = try await Self.filter(
      server, OPROTokens(accessToken: Secret("stale-secret"), refreshToken: nil, expires: nil))
    stale.renews = false
    let unknown = try await service.diagnose(over: stale)
    #expect(unknown.findings == [.unknownToken])
    #expect(!"\(unknown)".contains("stale-secret"))
    let write = ScriptedServer(
      .json(
        #"{"status":"unauthorized","message":"OAuth did not work :( - OAuth client not permitted- write permission required"}"#,
        status: 401))
    #expect(
      try await service.diagnose(over: write).findings == [.notPermitted, .writeRequired])
    await expect(throws: TokenError(.transportMalformedResponse)) {
      try await service.diagnose(over: ScriptedServer(.html()))
    }
  }

  @Test("S2 The consent page gets a state that needs no escaping, and the code returns with it")
  func browser() async throws {
    let (simulator, server) = Self.simulated()
    let service = try Self.service()
    let redirect = try HTTPURL("http://127.0.0.1:4711/back")
    let flow = try OPROBrowserSignIn(
      service, permissions: [.write], redirect: redirect,
      random: RandomSource { [UInt8](repeating: 0xAB, count: $0) })
    let state = String(repeating: "ab", count: 16)
    #expect(
      flow.start.text
        == "https://opro.example.org/oauth/new?client_id=3234myClientId5678"
        + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A4711%2Fback&scope%5B%5D=write"
        + "&response_type=code&state=" + state)
    let back = "http://127.0.0.1:4711/back?code=c0de&response_type=code&state="
    simulator.consent(to: "c0de")
    let grant = try flow.grant(from: HTTPURL(back + state))
    let tokens = try await service.exchange(grant, over: server, now: Self.now)
    #expect(tokens.refreshToken != nil)
    for (address, code) in [
      (back + "other", TokenError.Code.clientState), (back, .clientState),
      ("http://127.0.0.1:4712/back?code=c0de&state=" + state, .clientState),
      ("http://127.0.0.1:4711/back?state=" + state, .clientParameter),
      ("http://127.0.0.1:4711/back?code=a&code=b&state=" + state, .clientDuplicateParameter),
      ("http://127.0.0.1:4711/back?error=access_denied&state=" + state, .sessionCancelled),
    ] {
      expect(throws: TokenError(code)) { try flow.grant(from: HTTPURL(address)) }
    }
    var said = ""
    dump(flow, to: &said)
    dump(grant, to: &said)
    #expect(!said.contains("c0de"))
  }

  @Test("S2 First launch, log-in, restart signed in, log-out, restart signed out")
  func story() async throws {
    let (_, server) = Self.simulated()
    let service = try Self.service()
    let store = MemoryCredentialStore()
    let time = StillTime()
    func launch() -> CurrentSession {
      CurrentSession(
        account: "opro", store: store, renewal: service.renewal(over: server, time: time),
        time: time, observer: SecrecyObserver())
    }
    let first = launch()
    #expect(try await first.restore() == nil)
    #expect(await first.session == nil)
    let tokens = try await service.exchange(Self.password, over: server, now: time.now)
    try await first.signIn(service.session(tokens, subject: "foo@example.com", now: time.now))
    let second = launch()
    #expect(try await second.restore()?.principal.subject == "foo@example.com")
    let filter = AuthorizedTransport(
      OPROTransport(server), session: second, origin: service.origin)
    #expect(try await service.profile(over: filter).id == 1)
    try await second.logOut()
    #expect(try await launch().restore() == nil)
  }
}
