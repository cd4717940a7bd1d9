import Foundation
import IdentityProviderTesting
import SignIn
import TestSupport
import Testing

/// What browsers do that no protocol wrote down, in one that keeps the rules of SameSite.
@Suite("Browsers that come again")
struct RepeatedAnswerTests {
  private let clock = ManualTime()
  private let idp: IdentityProviderSimulator
  private let sessions = MemorySessionStore()
  private let site: SignInSite

  init() throws {
    idp = try IdentityProviderSimulator()
    site = try SignInSiteTests.site([idp], clock, sessions)
  }

  private func begin(
    _ browser: Browser, _ target: String = "/page?q=1"
  ) async throws -> String {
    let response = try await browser.send(
      "GET", "/sign-in?return=" + HTTPURL.percentEncoded(target))
    #expect(response.status == 303)
    let location = try #require(response.fields["Location"])
    return "_" + String(try #require(location.firstMatch(of: /RelayState=([0-9a-f]{40})/)).1)
  }

  private func answer(_ request: String) throws -> WebRequest {
    try idp.message(.init(inResponseTo: request, at: clock.now))
  }

  private func signIn(_ browser: Browser) async throws {
    let message = try answer(try await begin(browser))
    #expect(try await browser.send("POST", "/saml/acs", body: message).status == 303)
  }

  @Test("A double click or the back button leads a signed-in person to the page of the sign-in")
  func postedAgain() async throws {
    let browser = Browser(site)
    let message = try answer(try await begin(browser))
    _ = try await browser.send("POST", "/saml/acs", body: message)
    let again = try await browser.send("POST", "/saml/acs", body: message)
    #expect(
      again.status == 303 && again.fields["Location"]?.hasPrefix("/finished?request=") == true)
    let page = try await browser.following(again)
    #expect(page.status == 303 && page.fields["Location"] == "/page?q=1")
    #expect(sessions.count == 1)
    clock.advance(bySeconds: 599)
    let late = try await browser.following(browser.send("POST", "/saml/acs", body: message))
    #expect(late.fields["Location"] == "/page?q=1")
  }

  @Test(
    "An answer that comes again signs nobody in: without a session the page says that it was used")
  func neverASession() async throws {
    let browser = Browser(site)
    let message = try answer(try await begin(browser))
    _ = try await browser.send("POST", "/saml/acs", body: message)
    let session = Secret(try #require(browser.cookies["__Host-session"]))
    let id = try #require(SessionID(session))
    try await sessions.remove(id)
    let again = try await browser.following(browser.send("POST", "/saml/acs", body: message))
    #expect(again.text.isRefusal(.signInFinished))
    #expect(sessions.count == 0)
    let request = try #require(browser.cookies.keys.first { $0.hasPrefix("__Host-signin-") })
    #expect(request.count > 0)
    let stranger = try await Browser(site).send(
      "GET", "/finished?request=" + String(repeating: "a", count: 40))
    #expect(stranger.text.isRefusal(.signInUnknown))
    #expect(try await Browser(site).send("GET", "/finished").status == 400)
  }

  @Test("What remains of a sign-in opens none: another answer to its request is refused")
  func remainsOpenNothing() async throws {
    let browser = Browser(site)
    let request = try await begin(browser)
    _ = try await browser.send("POST", "/saml/acs", body: answer(request))
    let second = try await browser.following(
      browser.send("POST", "/saml/acs", body: answer(request)))
    #expect(second.fields["Location"] == "/page?q=1" && sessions.count == 1)
  }

  @Test("What remains of sign-ins does not push out one that is pending")
  func room() async throws {
    let browser = Browser(site)
    let pending = try await begin(browser)
    for _ in 0..<6 {
      clock.advance(bySeconds: 20)
      try await signIn(browser)
    }
    #expect(browser.cookies.keys.count { $0.contains(/signin-[0-9a-f]{8}$/) } <= 6)
    #expect(try await browser.send("POST", "/saml/acs", body: answer(pending)).status == 303)
  }

  @Test(
    "GATE-15: A new sign-in ends the session that the browser had, although no form of another site brings it"
  )
  func oldSessionEnds() async throws {
    let browser = Browser(site)
    try await signIn(browser)
    let old = Secret(try #require(browser.cookies["__Host-session"]))
    let other = Browser(site)
    try await signIn(other)
    #expect(try await site.session(cookie: old) != nil)
    clock.advance(bySeconds: 20)
    try await signIn(browser)
    #expect(try await site.session(cookie: old) == nil)
    #expect(try await site.session(of: browser.request("/")) != nil)
    #expect(try await site.session(of: other.request("/")) != nil, "nobody else's ends")
  }

  @Test("GATE-15: A sign-in ends the session that another tab got in between, where it comes along")
  func sessionOfAnotherTab() async throws {
    let browser = Browser(site)
    let request = try await begin(browser)
    try await signIn(browser)
    let between = Secret(try #require(browser.cookies["__Host-session"]))
    let done = try await browser.send(
      "POST", "/saml/acs", body: answer(request), cause: .navigation)
    #expect(done.status == 303)
    #expect(try await site.session(cookie: between) == nil && sessions.count == 1)
  }

  @Test("Three tabs that a browser restores at once are no loop, and each comes to its page")
  func tabs() async throws {
    let browser = Browser(site)
    var requests: [String] = []
    for tab in 0..<3 { requests.append(try await begin(browser, "/tab\(tab)")) }
    for (tab, request) in requests.enumerated() {
      let response = try await browser.send("POST", "/saml/acs", body: answer(request))
      #expect(response.fields["Location"] == "/tab\(tab)")
    }
  }

  @Test(
    "Who signed in twice within ten seconds and comes without a session is in a loop, and is told so"
  )
  func loop() async throws {
    // Its sessions are another gate's: they open nothing here.
    let browser = Browser(site)
    for _ in 0..<2 {
      try await signIn(browser)
      browser.set("__Host-session", String(repeating: "A", count: 43))
    }
    let third = try await browser.send("GET", "/sign-in")
    #expect(third.text.isRefusal(.signInLoop))
    clock.advance(bySeconds: 10)
    _ = try await begin(browser)
    let signedIn = Browser(site)
    for _ in 0..<4 { try await signIn(signedIn) }
  }

  @Test("Over plain http on loopback a form of another site is posted once more by a page of ours")
  func plainHTTP() async throws {
    let settings = try SiteSettings(origin: HTTPURL("http://127.0.0.1:8080/").origin, prefix: "/")
    let service = try ServiceProvider(
      entityID: "https://app.example/saml", consumer: settings.address("saml/acs"),
      signingKeys: [idp.key])
    let site = try SignInSite(
      settings,
      providers: [
        SignInProvider(
          id: "p0", name: "P", .saml(service, .fixed(idp.provider)),
          registry: StaticRegistry(Trust(issuers: [idp.trusted], audiences: .oneOf([]))))
      ], pages: PlainPages(), sessions: sessions, clock: clock)
    let browser = Browser(site)
    let message = try idp.message(
      .init(
        inResponseTo: try await begin(browser), recipient: "http://127.0.0.1:8080/saml/acs",
        at: clock.now))
    let page = try await browser.send("POST", "/saml/acs", body: message)
    #expect(
      page.status == 200 && page.text.hasPrefix("form http://127.0.0.1:8080/saml/acs SAMLResponse=")
    )
    var own = message
    own.body += Array("&posted-again=1".utf8)
    let done = try await browser.send("POST", "/saml/acs", body: own, cause: .navigation)
    #expect(done.status == 303 && done.fields["Location"] == "/page?q=1")
    let stranger = try await Browser(site).send("POST", "/saml/acs", body: own, cause: .navigation)
    #expect(stranger.text.isRefusal(.signInUnknown))
  }

  @Test("Over https a form of another site that brings no pending sign-in is refused at once")
  func https() async throws {
    let message = try answer(try await begin(Browser(site)))
    let stranger = try await Browser(site).send("POST", "/saml/acs", body: message)
    #expect(stranger.status == 400 && stranger.text.isRefusal(.signInUnknown))
  }

  @Test("A session of a browser with two hundred cookies is found")
  func manyCookies() async throws {
    let browser = Browser(site)
    try await signIn(browser)
    let others = (0..<200).map { "c\($0)=x" }.joined(separator: "; ")
    let session = try #require(browser.cookies["__Host-session"])
    for text in ["\(others); __Host-session=\(session)", "__Host-session=\(session); \(others)"] {
      let request = WebRequest(
        method: "GET", path: "/", fields: try HTTPFields([("Cookie", text)]))
      #expect(try await site.session(of: request) != nil)
      #expect(request.cookies["__Host-session"] != nil)
    }
  }

  @Test("A session ends when the issuer says so, before its own time is over")
  func issuerEnds() async throws {
    let browser = Browser(site)
    let request = try await begin(browser)
    let end = clock.now.advanced(bySeconds: 600)
    var answer = IdentityProviderSimulator.Answer(inResponseTo: request, at: clock.now)
    answer.sessionEnd = end
    let message = try idp.message(answer)
    #expect(try await browser.send("POST", "/saml/acs", body: message).status == 303)
    clock.advance(bySeconds: 599)
    #expect(try await site.session(of: browser.request("/")) != nil)
    clock.advance(bySeconds: 1)
    #expect(try await site.session(of: browser.request("/")) == nil)
    let without = Browser(site)
    try await signIn(without)
    clock.advance(bySeconds: 601)
    #expect(try await site.session(of: without.request("/")) != nil)
  }
}
