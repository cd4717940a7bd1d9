import AccessControl
import HTTPExchange
import IdentityProviderTesting
import SAML
import SignIn
import Synchronization
import TestSupport
import Testing
import TokenBasics

/// A sign-out goes through the local token service, from each side to every other.
@Suite("Sign-out through the local token service")
struct SignOutBridgeTests {
  private let fixture: SignOutFixture

  init() throws { fixture = try SignOutFixture() }

  private func browser() -> SignOutFixture.Browser { SignOutFixture.Browser(site: fixture.site) }

  @Test(
    "A service provider signs out: the other one and the provider above are asked, and the answer says whether all ended",
    arguments: [
      (LogoutOutcome.done, LogoutOutcome.done, nil as String?),
      (.partial, .done, "PartialLogout"), (.refused, .done, "PartialLogout"),
      (.done, .partial, "PartialLogout"),
    ])
  func fromServiceProvider(
    other: LogoutOutcome, above: LogoutOutcome, problem: String?
  ) async throws {
    var browser = browser()
    let one = try await fixture.signIn(at: "urn:one", &browser)
    let two = try await fixture.signIn(at: "urn:two", &browser)
    let (pending, target) = try fixture.signOut(at: "urn:one", one)
    let toOther = try await browser.get(target)
    let back = try await fixture.answer(toOther, as: "urn:two", two, other)
    let toProvider = try await browser.get(back)
    let again = try await fixture.answerAbove(toProvider, above)
    let end = try await browser.get(again)
    #expect(try await fixture.problem(end, at: "urn:one", pending) == problem)
    // It is over: nothing is told again.
    let (second, later) = try fixture.signOut(at: "urn:one", one)
    #expect(
      try await fixture.problem(try await browser.get(later), at: "urn:one", second) == nil)
    #expect(fixture.parties.told.isEmpty)
  }

  @Test(
    "SEM-19: A service provider's request about another session, which any page may bring here, ends nothing by itself",
    arguments: [true, false])
  func otherSession(isThere: Bool) async throws {
    var stranger = browser()
    let theirs = try await fixture.signIn(at: "urn:one", &stranger, session: "s9")
    var browser = browser()
    if isThere { _ = try await fixture.signIn(at: "urn:one", &browser) }
    let refresh = try await fixture.signInAtClient(&browser)
    let page = try await browser.get(try fixture.signOut(at: "urn:one", theirs).target)
    #expect(page.text.hasPrefix("Sign out?"), "\(page.text)")
    #expect(fixture.parties.told.isEmpty)
    #expect(try await fixture.refresh(refresh) == 200)
  }

  @Test(
    "A sign-out tells a provider of its own sessions alone, and no other one that has its identifier now",
    arguments: [true, false])
  func otherProvider(isSame: Bool) async throws {
    let (upstream, now) = (fixture.upstream, fixture.clock.now)
    let session = SignedInSession(
      principal: FederatedPrincipal(
        issuer: isSame ? upstream.idp.entityID : "urn:before", subject: "ada", claims: ClaimSet(),
        format: .saml20,
        issuerSession: IssuerSession(index: "s1", name: SubjectName("ada")), warnings: []),
      provider: "idp", begun: now, end: now, lastUse: now)
    #expect(try await (upstream.site.beginSignOut(of: session) != nil) == isSame)
  }

  @Test("A person who is asked by a service provider and says so signs out, and it has its answer")
  func confirmed() async throws {
    var stranger = browser()
    let theirs = try await fixture.signIn(at: "urn:one", &stranger, session: "s9")
    var browser = browser()
    let refresh = try await fixture.signInAtClient(&browser)
    let (pending, target) = try fixture.signOut(at: "urn:one", theirs)
    let toProvider = try await fixture.confirmSignOut(at: target, &browser)
    #expect(fixture.parties.told == ["https://client.example/logout"])
    let end = try await browser.get(try await fixture.answerAbove(toProvider))
    #expect(try await fixture.problem(end, at: "urn:one", pending) == nil)
    #expect(try await fixture.refresh(refresh) == 400)
  }

  @Test("What a service provider did not sign, or answers to another request, is no answer")
  func unsignedAnswer() async throws {
    var browser = browser()
    let one = try await fixture.signIn(at: "urn:one", &browser)
    let two = try await fixture.signIn(at: "urn:two", &browser)
    let (pending, target) = try fixture.signOut(at: "urn:one", one)
    let signed = try await fixture.answer(try await browser.get(target), as: "urn:two", two)
    let stranger = try await browser.get(signed.replacing("SAMLResponse=", with: "SAMLRequest="))
    #expect(stranger.status == 400)
    var other = self.browser()
    let elsewhere = try await other.get(signed)
    #expect(elsewhere.status == 400 && elsewhere.text.contains("code logout.unsolicited"))
    let bare = signed.split(separator: "&").filter { !$0.hasPrefix("Sig") }.joined(separator: "&")
    let toProvider = try await browser.get(bare)
    let end = try await browser.get(try await fixture.answerAbove(toProvider))
    #expect(try await fixture.problem(end, at: "urn:one", pending) == "PartialLogout")
    #expect(try await browser.get(signed).status == 400)
  }

  @Test(
    "A service provider with SOAP, and a client with a back channel, are told directly; who does not answer is said",
    arguments: [
      (LogoutOutcome.done as LogoutOutcome?, nil as String?), (.partial, "PartialLogout"),
      (nil, "PartialLogout"),
    ])
  func direct(outcome: LogoutOutcome?, problem: String?) async throws {
    fixture.parties.direct = outcome.map { SignOutFixture.DirectAnswer(outcome: $0) }
    var browser = browser()
    let one = try await fixture.signIn(at: "urn:one", &browser)
    _ = try await fixture.signIn(at: "urn:direct", &browser)
    let refresh = try await fixture.signInAtClient(&browser)
    #expect(try await fixture.refresh(refresh) == 200)
    let (pending, target) = try fixture.signOut(at: "urn:one", one)
    let toProvider = try await browser.get(target)
    #expect(
      fixture.parties.told.sorted()
        == ["https://client.example/logout", "https://direct.example/slo"])
    let end = try await browser.get(try await fixture.answerAbove(toProvider))
    #expect(try await fixture.problem(end, at: "urn:one", pending) == problem)
  }

  @Test(
    "The provider above signs out through the browser: every relying party is told before it is answered"
  )
  func fromProvider() async throws {
    var browser = browser()
    let one = try await fixture.signIn(at: "urn:one", &browser)
    let refresh = try await fixture.signInAtClient(&browser)
    // Another session there, or another person, is none of ours.
    for (session, name) in [("s2", "ada"), ("s1", "eve")] {
      let (pending, target) = try fixture.demand(session: session, name: name)
      let answered = try await browser.get(target)
      #expect(try await fixture.problemAbove(answered, pending)?.contains("Requester") == true)
    }
    #expect(fixture.parties.told.isEmpty)
    let (pending, target) = try fixture.demand(session: "s1")
    let toOne = try await browser.get(target)
    #expect(fixture.parties.told == ["https://client.example/logout"])
    let end = try await browser.get(try await fixture.answer(toOne, as: "urn:one", one))
    #expect(try await fixture.problemAbove(end, pending) == nil)
    #expect(try await fixture.refresh(refresh) == 400)
    // The next sign-in is a visit of its own.
    let next = try await fixture.signInAtClient(&browser, session: "s3")
    #expect(try await fixture.refresh(next) == 200)
  }

  @Test(
    "The provider above ends an earlier session of the browser there: all of the visit ends, and nothing goes back to it",
    arguments: ["s1", "s2"])
  func earlierSession(session: String) async throws {
    var browser = browser()
    let one = try await fixture.signIn(at: "urn:one", &browser, session: "s1")
    let refresh = try await fixture.signInAtClient(&browser, session: "s2")
    let (pending, target) = try fixture.demand(session: session)
    let toOne = try await browser.get(target)
    #expect(fixture.parties.told == ["https://client.example/logout"])
    let end = try await browser.get(try await fixture.answer(toOne, as: "urn:one", one))
    #expect(try await fixture.problemAbove(end, pending) == nil)
    #expect(try await fixture.refresh(refresh) == 400)
  }

  @Test("A provider that signs out while the store keeps nothing can do so once more")
  func storeIsAway() async throws {
    let values = FullValueStore()
    let fixture = try SignOutFixture(values: values)
    var browser = SignOutFixture.Browser(site: fixture.site)
    let one = try await fixture.signIn(at: "urn:one", &browser)
    let refresh = try await fixture.signInAtClient(&browser)
    values.isFull = true
    let refused = try await browser.get(try fixture.demand(session: "s1").target)
    #expect(refused.status == 503, "\(refused.text)")
    values.isFull = false
    let (pending, target) = try fixture.demand(session: "s1")
    let toOne = try await browser.get(target)
    #expect(fixture.parties.told == ["https://client.example/logout"])
    let end = try await browser.get(try await fixture.answer(toOne, as: "urn:one", one))
    #expect(try await fixture.problemAbove(end, pending) == nil)
    #expect(try await fixture.refresh(refresh) == 400)
  }

  /// Keeps nothing while it is full; what it has it gives.
  private final class FullValueStore: ValueStore {
    private let values = MemoryValueStore()
    private let state = Mutex(false)
    var isFull: Bool {
      get { state.withLock { $0 } }
      set { state.withLock { $0 = newValue } }
    }

    func keep(
      _ value: [UInt8], under name: ValueName, until end: Instant, at now: Instant
    ) async throws(TokenError) {
      guard !isFull else { throw TokenError(.signInSessionStore) }
      try await values.keep(value, under: name, until: end, at: now)
    }
    func value(under name: ValueName, at now: Instant) async throws(TokenError) -> [UInt8]? {
      try await values.value(under: name, at: now)
    }
    func take(_ name: ValueName, at now: Instant) async throws(TokenError) -> [UInt8]? {
      try await values.take(name, at: now)
    }
    func remove(_ name: ValueName) async throws(TokenError) { try await values.remove(name) }
    func sweep(at now: Instant) async throws(TokenError) { try await values.sweep(at: now) }
  }

  @Test(
    "A service provider's request about another person, or with the session of another one, is a question",
    arguments: [("urn:one", "mallory"), ("urn:two", nil as String?)])
  func otherName(realm: String, name: String?) async throws {
    var browser = browser()
    let refresh = try await fixture.signInAtClient(&browser)
    let own = try await fixture.signIn(at: "urn:one", &browser).issuerSession
    let other = name.map { SubjectName($0, format: NameFormat.persistent) }
    let named = IssuerSession(index: own.index, name: other ?? own.name)
    let asked = try #require(
      try fixture.service(realm).beginLogout(
        of: named, at: fixture.below, at: fixture.clock.now))
    let page = try await browser.get(asked.action.address.target)
    #expect(page.text.hasPrefix("Sign out?"), "\(page.text)")
    #expect(try await fixture.refresh(refresh) == 200)
  }

  @Test("A person with two sessions at the provider above is signed out there once, of the last")
  func lastSession() async throws {
    var browser = browser()
    let one = try await fixture.signIn(at: "urn:one", &browser, session: "s1")
    _ = try await fixture.signInAtClient(&browser, session: "s2")
    let (pending, target) = try fixture.signOut(at: "urn:one", one)
    let toProvider = try await browser.get(target)
    let end = try await browser.get(try await fixture.answerAbove(toProvider, ending: "s2"))
    #expect(try await fixture.problem(end, at: "urn:one", pending) == nil)
  }

  @Test("Three applications within ten seconds are no loop; one that asks a seventh time is in one")
  func loop() async throws {
    var browser = browser()
    let one = try fixture.service("urn:one")
    _ = try await fixture.signIn(at: "urn:one", &browser)
    _ = try await fixture.signIn(at: "urn:two", &browser)
    try await fixture.signInAtTalks(&browser)
    _ = try await fixture.signInAtClient(&browser)
    for _ in 0..<6 { _ = try await fixture.signIn(at: "urn:one", &browser) }
    func next() throws -> String {
      try one.begin(at: fixture.below, at: fixture.clock.now).action.address.target
    }
    let refused = try await fixture.begin(from: next(), &browser)
    #expect(refused.status == 400 && refused.text.contains("code signin.loop"), "\(refused.text)")
    let other = try await fixture.begin(from: SignOutFixture.authorize, &browser)
    #expect(other.fields["Location"]?.hasPrefix("https://idp.example/") == true, "\(other.text)")
    fixture.clock.advance(bySeconds: 10)
    let later = try await fixture.begin(from: next(), &browser)
    #expect(later.fields["Location"]?.hasPrefix("https://idp.example/") == true, "\(later.text)")
  }

  @Test(
    "The provider above signs out from another browser: who needs the person's own browser is not told, and that is said"
  )
  func fromElsewhere() async throws {
    var browser = browser()
    let refresh = try await fixture.signInAtClient(&browser)
    var other = self.browser()
    let (all, target) = try fixture.demand(session: "s1")
    #expect(try await fixture.problemAbove(try await other.get(target), all) == nil)
    #expect(fixture.parties.told == ["https://client.example/logout"])
    #expect(try await fixture.refresh(refresh) == 400)
    // The browser knows nothing of it, and its next sign-in is a visit of its own.
    let next = try await fixture.signInAtClient(&browser, session: "s3")
    #expect(try await fixture.refresh(next) == 200)
    _ = try await fixture.signIn(at: "urn:one", &browser, session: "s2")
    let (some, second) = try fixture.demand(session: "s2")
    let answered = try await other.get(second)
    #expect(try await fixture.problemAbove(answered, some) == "PartialLogout")
  }

  @Test("WS-Federation is told by pictures on a page that goes on by itself")
  func pictures() async throws {
    var browser = browser()
    try await fixture.signInAtTalks(&browser)
    let one = try await fixture.signIn(at: "urn:one", &browser)
    let page = try await fixture.confirmSignOut(
      at: "/v2/wsfederation?wa=wsignout1.0", &browser)
    #expect(page.text.contains("ping https://talks.example/in?wa=wsignoutcleanup1.0"))
    #expect(page.fields["Refresh"] == "2;url=/v2/sign-out")
    var stranger = self.browser()
    #expect(try await stranger.get("/v2/sign-out").status == 400)
    let toOne = try await browser.get("/v2/sign-out")
    let toProvider = try await browser.get(
      try await fixture.answer(toOne, as: "urn:one", one))
    let end = try await browser.get(try await fixture.answerAbove(toProvider))
    #expect(end.status == 200 && end.text.contains("You were signed in to Talks, urn:one."))
    #expect(try await browser.get("/v2/sign-out").status == 400)
    // A clean-up is of a WS-Federation provider above, and none is here.
    try await fixture.signInAtTalks(&browser)
    let cleaned = try await browser.get("/v2/wsfederation?wa=wsignoutcleanup1.0")
    #expect(cleaned.status == 200 && cleaned.text.contains("Nothing was ended"))
    let asked = try await browser.get("/v2/wsfederation?wa=wsignout1.0")
    #expect(asked.text.hasPrefix("Sign out?"))
  }

  @Test("A sign-out that the client of OpenID Connect begins goes above and comes back to it")
  func fromClient() async throws {
    var browser = browser()
    let refresh = try await fixture.signInAtClient(&browser)
    let target =
      "/v2/openid/logout?client_id=client&state=z"
      + "&post_logout_redirect_uri=https%3A%2F%2Fclient.example%2Fin"
    let toProvider = try await fixture.confirmSignOut(at: target, &browser)
    #expect(try await fixture.refresh(refresh) == 400)
    let end = try await browser.get(try await fixture.answerAbove(toProvider))
    #expect(end.fields["Location"] == "https://client.example/in?state=z")
    // Whoever is signed in to nothing goes straight back.
    #expect(
      try await browser.get(target).fields["Location"] == "https://client.example/in?state=z")
  }
}

/// The same with a provider of OpenID Connect above.
@Suite("Sign-out through the local token service, with a provider of OpenID Connect above")
struct OpenIDSignOutBridgeTests {
  /// Takes logout tokens.
  private struct Recipient: HTTPTransport {
    let told = Told()

    func response(
      to request: HTTPRequest
    ) async throws(TokenError) -> HTTPExchange.HTTPResponse {
      await told.add(request.url.text)
      return HTTPExchange.HTTPResponse(status: 200, fields: HTTPFields(), body: [])
    }
  }

  private actor Told {
    private(set) var addresses: [String] = []

    func add(_ address: String) { addresses.append(address) }
  }

  private let recipient = Recipient()
  private let upstream: UpstreamFixture

  init() throws { upstream = try UpstreamFixture(transport: recipient) }

  private static let authorize =
    "/v2/openid/authorize?response_type=code&client_id=client&scope=openid"
    + "&redirect_uri=https%3A%2F%2Fclient.example%2Fin"

  /// Signs in at the client: its ID token.
  @discardableResult
  private func signIn(_ browser: inout UpstreamFixture.Browser) async throws -> String {
    let chosen = try await browser.get(Self.authorize)
    let there = try await browser.get(HTTPURL(try #require(chosen.fields["Location"])).target)
    let address = try HTTPURL(try #require(there.fields["Location"]))
    let answer = try upstream.provider.provider.authorize(.redirect(address))
    let back = try await browser.get("/v2/upstream/openid/callback?" + (answer.query ?? ""))
    let done = try await browser.get(try #require(back.fields["Location"], "\(back.text)"))
    let location = try HTTPURL(try #require(done.fields["Location"], "\(done.text)"))
    let code = try FormReader((location.query ?? "").utf8).require("code")
    let tokens = try await browser.post(
      "/v2/openid/token",
      IdentityProviderSimulator.form([
        ("grant_type", "authorization_code"), ("code", code), ("client_id", "client"),
        ("client_secret", "client secret"), ("redirect_uri", "https://client.example/in"),
      ]))
    return try #require(try JSONParser.parse(tokens.body)["id_token"]?.string)
  }

  /// A logout token of the provider for a session or a subject.
  private func logoutToken(_ subject: String, id: String) throws -> WebRequest {
    let fixture = upstream.provider
    let time = fixture.time.now.seconds
    let token = try ProviderKey.first.token(
      [
        "iss": quoted(fixture.provider.issuer), "aud": quoted(ScriptedProvider.clientID),
        "iat": "\(time)", "exp": "\(time + 120)", "jti": quoted(id), "sub": quoted(subject),
        "events": object(["http://schemas.openid.net/event/backchannel-logout": "{}"]),
      ], type: "logout+jwt", keyID: "rsa-1")
    return ScriptedProvider.message(["logout_token": token], mode: "form_post")
  }

  @Test("A logout token of the provider above is passed on, one about another subject is not")
  func backChannel() async throws {
    var browser = UpstreamFixture.Browser(site: upstream.site)
    try await signIn(&browser)
    var provider = UpstreamFixture.Browser(site: upstream.site)
    let path = "/v2/upstream/openid/op/logout"
    #expect(try await provider.post(path, logoutToken("mallory", id: "1")).status == 200)
    #expect(await recipient.told.addresses.isEmpty)
    #expect(try await provider.post(path, logoutToken("alice", id: "2")).status == 200)
    #expect(await recipient.told.addresses == ["https://client.example/logout"])
    #expect(try await provider.post(path, logoutToken("alice", id: "3")).status == 200)
    #expect(await recipient.told.addresses.count == 1)
  }

  @Test("Forty browsers of one person are signed out by one logout token")
  func manyBrowsers() async throws {
    for _ in 0..<40 {
      var browser = UpstreamFixture.Browser(site: upstream.site)
      try await signIn(&browser)
    }
    var provider = UpstreamFixture.Browser(site: upstream.site)
    let path = "/v2/upstream/openid/op/logout"
    #expect(try await provider.post(path, logoutToken("alice", id: "1")).status == 200)
    #expect(await recipient.told.addresses.count == 40)
  }

  @Test("A sign-out goes to the end_session_endpoint, and from there back to who asked")
  func above() async throws {
    var browser = UpstreamFixture.Browser(site: upstream.site)
    let idToken = try await signIn(&browser)
    let there = try await browser.get(
      "/v2/openid/logout?client_id=client&post_logout_redirect_uri=https%3A%2F%2Fclient.example%2Fin"
        + "&id_token_hint=" + idToken)
    let address = try HTTPURL(try #require(there.fields["Location"], "\(there.text)"))
    #expect(address.text.hasPrefix("https://idp.example/tenant/logout?"))
    let query = try FormReader((address.query ?? "").utf8)
    #expect(query["id_token_hint"] != nil)
    let back = try HTTPURL(try query.require("post_logout_redirect_uri"))
    #expect(
      try await browser.get(back.target).fields["Location"] == "https://client.example/in")
    // Without a sign-out on its way the page says that it is over.
    #expect(try await browser.get(back.target).status == 200)
  }
}
