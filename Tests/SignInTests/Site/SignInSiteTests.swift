import Foundation
import IdentityProviderTesting
import SignIn
import TestSupport
import Testing

@Suite("The routes of a site")
struct SignInSiteTests {
  private let clock = ManualTime()
  private let idp: IdentityProviderSimulator
  private let other: IdentityProviderSimulator
  private let sessions = MemorySessionStore()
  private let site: SignInSite

  init() throws {
    idp = try IdentityProviderSimulator()
    other = try IdentityProviderSimulator("https://other.example/", key: "other-rsa")
    site = try Self.site([idp], clock, sessions)
  }

  static func site(
    _ simulators: [IdentityProviderSimulator], _ clock: ManualTime, _ sessions: any SessionStore,
    keys: [[UInt8]]? = nil
  ) throws -> SignInSite {
    let own = try IdentityProviderSimulator(key: "rp-rsa")
    let settings = try SiteSettings(origin: HTTPURL("https://app.example/").origin, prefix: "/")
    let service = try ServiceProvider(
      entityID: "https://app.example/saml", consumer: settings.address("saml/acs"),
      logout: settings.address("saml/slo"), signingKeys: [own.key])
    let trust = Trust(issuers: simulators.map(\.trusted), audiences: .oneOf([]))
    return try SignInSite(
      settings,
      providers: simulators.enumerated().map { number, simulator in
        SignInProvider(
          id: "p\(number)", name: "Provider \(number)", .saml(service, .fixed(simulator.provider)),
          registry: StaticRegistry(trust))
      }, pages: PlainPages(), sessions: sessions, keys: keys, clock: clock)
  }

  /// Begins a sign-in and returns the identifier of its request.
  private func begin(_ browser: Browser, _ target: String = "/page?q=1") async throws -> String {
    let response = try await browser.send(
      "GET", "/sign-in?return=" + HTTPURL.percentEncoded(target))
    #expect(response.status == 303)
    let location = try #require(response.fields["Location"])
    let query = try #require(try HTTPURL(location).query)
    return "_" + String(try #require(query.firstMatch(of: /RelayState=([0-9a-f]{40})/)).1)
  }

  private func answer(
    _ request: String?, relayState: String? = nil
  ) throws -> WebRequest {
    try idp.message(.init(inResponseTo: request, at: clock.now), relayState: relayState)
  }

  private func signIn(_ browser: Browser) async throws {
    let response = try await browser.send(
      "POST", "/saml/acs", body: answer(try await begin(browser)))
    #expect(response.status == 303 && response.fields["Location"] == "/page?q=1")
  }

  @Test("A browser is sent to the provider and comes back to the very page, with a session")
  func signsIn() async throws {
    let browser = Browser(site)
    try await signIn(browser)
    let names = browser.cookies.keys.sorted()
    #expect(names.count == 3 && names[0] == "__Host-session" && names[2] == "__Host-signin-times")
    let session = try #require(try await site.session(of: browser.request("/")))
    #expect(session.principal.subject == "ada" && session.provider == "p0")
    let claims = try await browser.send("GET", "/claims")
    #expect(claims.status == 200 && claims.text.contains("\"issuer\":\"https://idp.example/\""))
  }

  @Test(
    "RP-3: Cookies are HttpOnly, Secure and of this host; that of a pending sign-in crosses sites")
  func cookies() async throws {
    let response = try await Browser(site).send("GET", "/sign-in")
    let cookie = try #require(
      response.fields.values("Set-Cookie").first { $0.hasPrefix("__Host-signin-") })
    for part in ["; Path=/", "; HttpOnly", "; Secure", "; SameSite=None", "; Max-Age=600"] {
      #expect(cookie.contains(part))
    }
    #expect(response.fields["Cache-Control"] == "no-store")
    #expect(response.fields["Referrer-Policy"] == "no-referrer")
  }

  @Test("GATE-15, RP-10: A session has an identifier of its own, whatever the browser brought")
  func fixation() async throws {
    let browser = Browser(site)
    let planted = String(repeating: "A", count: 43)
    browser.set("__Host-session", planted)
    try await signIn(browser)
    #expect(browser.cookies["__Host-session"] != planted)
    #expect(try await site.session(cookie: Secret(planted)) == nil)
  }

  @Test("GATE-14: After sign-out the old cookie opens nothing")
  func signOut() async throws {
    let browser = Browser(site)
    try await signIn(browser)
    let old = Secret(try #require(browser.cookies["__Host-session"]))
    let page = try await browser.send("GET", "/sign-out")
    #expect(try await site.session(cookie: old) != nil, "a link of another site ends nothing")
    let token = String(page.text.dropFirst("confirm ".count))
    let forged = try await browser.send(
      "POST", "/sign-out", body: IdentityProviderSimulator.form([("token", "x")]))
    #expect(forged.text.isRefusal(.signInForm))
    #expect(try await site.session(cookie: old) != nil)
    let response = try await browser.send(
      "POST", "/sign-out", body: IdentityProviderSimulator.form([("token", token)]))
    #expect(response.fields["Location"]?.hasPrefix("https://idp.example/slo?SAMLRequest=") == true)
    #expect(try await site.session(cookie: old) == nil)
    #expect(browser.cookies["__Host-session"] == nil)
  }

  @Test("Ten tabs at once: the last five finish, in any order, and cookies do not pile up")
  func tabs() async throws {
    let browser = Browser(site)
    var requests: [String] = []
    for _ in 0..<10 {
      clock.advance(bySeconds: 11)
      requests.append(try await begin(browser))
    }
    #expect(browser.cookies.keys.count { $0.hasPrefix("__Host-signin-") && $0.count == 22 } == 5)
    for request in requests.suffix(5).reversed() {
      let response = try await browser.send("POST", "/saml/acs", body: answer(request))
      #expect(response.status == 303)
    }
    let stranger = Browser(site)
    let response = try await stranger.send("POST", "/saml/acs", body: answer(requests[0]))
    #expect(response.text.isRefusal(.signInUnknown))
  }

  @Test("Cookies off, another browser, 11 minutes: each has a code and a page")
  func lateAndLost() async throws {
    let closed = Browser(site)
    closed.acceptsCookies = false
    let message = try answer(try await begin(closed))
    #expect(
      try await closed.send("POST", "/saml/acs", body: message).text.isRefusal(.signInUnknown))
    let late = Browser(site)
    let request = try await begin(late)
    clock.advance(bySeconds: 660)
    #expect(
      try await late.send("POST", "/saml/acs", body: answer(request)).text.isRefusal(.signInExpired)
    )
    let unsolicited = try await late.send("POST", "/saml/acs", body: answer(nil))
    #expect(unsolicited.text.isRefusal(.signInUnsolicited))
  }

  @Test("A clock that is ten minutes off is said on the page")
  func clockOff() async throws {
    let browser = Browser(site)
    let request = try await begin(browser)
    let message = try idp.message(
      .init(inResponseTo: request, at: clock.now.advanced(bySeconds: 598 + 120)))
    let response = try await browser.send("POST", "/saml/acs", body: message)
    #expect(response.text.contains("Your identity provider's clock differs by"))
    #expect(try await browser.send("POST", "/saml/acs", body: answer(request)).status == 303)
  }

  @Test("GATE-17: A cookie is small and whole, whatever is signed in with")
  func cookieSizes() async throws {
    let browser = Browser(site)
    let request = try await begin(browser, "/" + String(repeating: "a", count: 2047))
    #expect(browser.cookies.values.allSatisfy { $0.utf8.count < 4000 })
    let claims = (0..<500).map { Claim("groups", "group \($0)") }
    let message = try idp.message(.init(inResponseTo: request, claims: claims, at: clock.now))
    #expect(try await browser.send("POST", "/saml/acs", body: message).status == 303)
    #expect(browser.cookies["__Host-session"]?.utf8.count == 43)
    #expect(
      try await site.session(of: browser.request("/"))?.principal.claims["groups"].count == 500)
    let twice = try WebRequest(
      method: "GET", path: "/",
      fields: HTTPFields([("Cookie", "__Host-session=a; __Host-session=b")]))
    #expect(twice.cookies["__Host-session"] == nil)
  }

  @Test("GATE-21: Every session of a subject ends at once, and of nobody else")
  func endsAll() async throws {
    let first = Browser(site)
    let second = Browser(site)
    try await signIn(first)
    try await signIn(second)
    let wrong = try await sessions.remove(
      EndedSessions(provider: "p0", issuer: "https://other.example/", .subject("ada")))
    #expect(wrong == 0)
    let ended = try await sessions.remove(
      EndedSessions(provider: "p0", issuer: "https://idp.example/", .subject("ada")))
    #expect(ended == 2)
    #expect(try await site.session(of: first.request("/")) == nil)
  }

  @Test("GATE-22: The page of claims shows no credential of a provider")
  func credentials() async throws {
    let browser = Browser(site)
    let claims = [Claim(.facebookAccessToken, "CANARY-1"), Claim("role", "CANARY-2")]
    let message = try idp.message(
      .init(inResponseTo: try await begin(browser), claims: claims, at: clock.now))
    _ = try await browser.send("POST", "/saml/acs", body: message)
    let page = try await browser.send("GET", "/claims")
    #expect(!page.text.contains("CANARY-1") && page.text.contains("CANARY-2"))
  }

  @Test("A person sees claims by the last word of their addresses, and other names as they are")
  func account() async throws {
    let browser = Browser(site)
    let claims =
      ["http://x.example/claims/role", "http://x.example/", "urn:x/role", "a/b"]
      .enumerated().map { Claim(ClaimType($0.element), "value \($0.offset)") }
      + [Claim("nonce", "of the token")]
    let message = try idp.message(
      .init(inResponseTo: try await begin(browser), claims: claims, at: clock.now))
    _ = try await browser.send("POST", "/saml/acs", body: message)
    let page = try await browser.send("GET", "/account").text
    for row in [
      "role | value 0", "http://x.example/ | value 1", "urn:x/role | value 2", "a/b | value 3",
    ] { #expect(page.contains("\n" + row), "\(page)") }
    // What is about the token is no news to a person, and for programs it is there.
    #expect(!page.contains("of the token"))
    #expect(try await browser.send("GET", "/claims").text.contains("of the token"))
  }

  @Test(
    "GATE-11, RP-5: A target that is no local path becomes the front page",
    arguments: [
      "https://evil.example", "//evil.example", "///evil.example", "/\\evil.example",
      "\\\\evil", "/%09/evil", "/%2F%2Fevil", "https:evil.example", "javascript:alert(1)",
      "/\t/evil.example", "/%5cevil.example", "evil.example", "http:www.evil.example",
      "/\r\nSet-Cookie: a=b", "/" + String(repeating: "a", count: 2048),
    ])
  func openRedirect(target: String) async throws {
    let browser = Browser(site)
    let request = try await begin(browser, target)
    let response = try await browser.send("POST", "/saml/acs", body: answer(request))
    #expect(response.fields["Location"] == "/")
  }

  @Test("GATE-12, BIND-11: RelayState leads nowhere, however long it is")
  func relayState() async throws {
    let browser = Browser(site)
    let request = try await begin(browser)
    let own = String(request.dropFirst())
    for relayState in ["https://evil.example", String(repeating: "x", count: 3 << 20)] {
      let response = try await browser.send(
        "POST", "/saml/acs", body: answer(request, relayState: relayState))
      #expect(response.text.isRefusal(.signInOtherRequest))
    }
    let huge = try await browser.send(
      "POST", "/saml/acs",
      body: answer(request, relayState: String(repeating: "x", count: 5 << 20)))
    #expect(huge.status == 413)
    let response = try await browser.send(
      "POST", "/saml/acs", body: answer(request, relayState: own))
    #expect(response.fields["Location"] == "/page?q=1")
  }

  @Test("GATE-20: With two providers the one that was chosen answers, and only that one")
  func twoProviders() async throws {
    let site = try Self.site([idp, other], clock, sessions)
    let browser = Browser(site)
    let choice = try await browser.send("GET", "/sign-in?return=%2Fpage")
    #expect(choice.text.contains("Provider 1 /sign-in?provider=p1&return=%2Fpage"))
    let begun = try await browser.send("GET", "/sign-in?provider=p1&return=%2Fpage")
    let location = try #require(begun.fields["Location"])
    #expect(location.hasPrefix("https://other.example/sso?"))
    let request = "_" + String(try #require(location.firstMatch(of: /RelayState=([0-9a-f]{40})/)).1)
    let wrong = try await browser.send(
      "POST", "/saml/acs", body: idp.message(.init(inResponseTo: request)))
    #expect(wrong.text.isRefusal(.signInOtherIssuer))
    let right = try await browser.send(
      "POST", "/saml/acs", body: other.message(.init(inResponseTo: request)))
    #expect(right.status == 303)
    let unknown = try await browser.send("GET", "/sign-in?provider=p9")
    #expect(unknown.status == 404 && unknown.text.isRefusal(.signInProvider))
  }

  @Test("GATE-8: A store that fails is neither signed in nor signed out")
  func storeDown() async throws {
    let site = try Self.site([idp], clock, BrokenStore())
    let browser = Browser(site)
    browser.set("__Host-session", String(repeating: "A", count: 43))
    let error = await #expect(throws: TokenError.self) {
      try await site.session(of: browser.request("/"))
    }
    #expect(error?.code == .signInSessionStore)
    #expect(site.unavailable(try #require(error)).status == 503)
    let response = try await browser.send("GET", "/claims")
    #expect(response.status == 503)
    let full = MemorySessionStore(capacity: 1)
    let crowded = try Self.site([idp], clock, full)
    try await signIn(Browser(crowded))
    let second = Browser(crowded)
    let refused = try await second.send(
      "POST", "/saml/acs", body: answer(try await begin(second)))
    #expect(refused.status == 503 && refused.text.isRefusal(.signInSessionsFull))
  }

  @Test("A session ends by its lifetime, its idle time, and when its issuer says so")
  func ends() async throws {
    let browser = Browser(site)
    try await signIn(browser)
    for _ in 0..<16 {
      clock.advance(bySeconds: 1700)
      #expect(try await site.session(of: browser.request("/")) != nil)
    }
    clock.advance(bySeconds: 1700)
    #expect(try await site.session(of: browser.request("/")) == nil, "8 hours are over")
    let idle = Browser(site)
    try await signIn(idle)
    clock.advance(bySeconds: 1800)
    #expect(try await site.session(of: idle.request("/")) == nil)
    #expect(sessions.count == 0)
  }

  @Test("A browser that asks for a page is sent to sign in; a script gets 401 with a code")
  func required() throws {
    let page = site.signInRequired(
      try Browser(site).request("/deep/page", [("Sec-Fetch-Mode", "navigate")]))
    #expect(page.status == 303 && page.fields["Location"] == "/sign-in?return=%2Fdeep%2Fpage")
    for fields in [
      [("Sec-Fetch-Mode", "cors"), ("Accept", "text/html")], [("Accept", "application/json")],
      [("Accept", "text/html"), ("Upgrade", "websocket")],
    ] {
      let response = site.signInRequired(try Browser(site).request("/api", fields))
      #expect(response.status == 401 && response.text.contains("signin.required"))
    }
  }

  @Test("An entity that a discovery service would name says nothing where none is configured")
  func entityWithoutDiscovery() async throws {
    let named = try await Browser(site).send(
      "GET", "/sign-in?return=%2Fa&entityID=https%3A%2F%2Fevil.example%2F")
    #expect(named.status == 303)
    #expect(named.fields["Location"]?.hasPrefix("https://idp.example/") == true)
  }

  @Test("A person is greeted by the first name or address that says something, else by the subject")
  func greeting() async throws {
    for (claims, greeting) in [
      ([Claim(.name, ""), Claim(.emailAddress, "ada@idp.example")], "ada@idp.example"),
      ([Claim(.name, "Ada"), Claim(.emailAddress, "ada@idp.example")], "Ada"), ([], "ada"),
    ] {
      let browser = Browser(site)
      let message = try idp.message(
        .init(inResponseTo: try await begin(browser), claims: claims, at: clock.now))
      _ = try await browser.send("POST", "/saml/acs", body: message)
      let page = try await browser.send("GET", "/account").text
      #expect(page.contains("You are \(greeting)\n"), "\(page)")
    }
  }
}
