import Foundation
import IdentityProviderTesting
import SignIn
import TestSupport
import Testing

@Suite("What a site refuses of requests and of its settings")
struct SiteCheckTests {
  private let clock = ManualTime()
  private let idp: IdentityProviderSimulator
  private let other: IdentityProviderSimulator
  private let sessions = MemorySessionStore()
  private let site: SignInSite

  init() throws {
    idp = try IdentityProviderSimulator()
    other = try IdentityProviderSimulator("https://other.example/", key: "other-rsa")
    site = try SignInSiteTests.site([idp], clock, sessions)
  }

  private func begin(_ browser: Browser) async throws -> String {
    let response = try await browser.send("GET", "/sign-in?return=%2Fpage")
    let location = try #require(response.fields["Location"])
    return "_" + String(try #require(location.firstMatch(of: /RelayState=([0-9a-f]{40})/)).1)
  }

  private func signIn(_ browser: Browser) async throws {
    let message = try idp.message(.init(inResponseTo: try await begin(browser), at: clock.now))
    #expect(try await browser.send("POST", "/saml/acs", body: message).status == 303)
  }

  @Test("A site has providers, each with an identifier of its own")
  func providers() throws {
    let service = try ServiceProvider(
      entityID: "https://app.example/saml", consumer: HTTPURL("https://app.example/saml/acs"))
    func site(_ providers: [(String, IdentityProviderSimulator)]) throws {
      _ = try SignInSite(
        SiteSettings(origin: HTTPURL("https://app.example/").origin, prefix: "/"),
        providers: providers.map { id, simulator in
          SignInProvider(
            id: id, name: id, .saml(service, .fixed(simulator.provider)),
            registry: StaticRegistry(Trust(issuers: [], audiences: .oneOf([]))))
        }, pages: PlainPages())
    }
    #expect(throws: TokenError(.signInConfiguration)) { try site([]) }
    #expect(throws: TokenError(.signInConfiguration)) { try site([("a", idp), ("a", other)]) }
    try site([("a", idp), ("A", other)])
  }

  @Test("GATE-14: A sign-out comes as a form; what another site can send unasked ends nothing")
  func signOutForm() async throws {
    let browser = Browser(site)
    try await signIn(browser)
    let page = try await browser.send("GET", "/sign-out")
    var form = IdentityProviderSimulator.form([
      ("token", String(page.text.dropFirst("confirm ".count)))
    ])
    let type = form.contentType
    form = WebRequest(method: "POST", path: "/", contentType: "text/plain", body: form.body)
    let plain = try await browser.send("POST", "/sign-out", body: form)
    #expect(plain.text.isRefusal(.clientContentType))
    #expect(try await site.session(of: browser.request("/")) != nil)
    form = WebRequest(method: "POST", path: "/", contentType: type, body: form.body)
    #expect(try await browser.send("POST", "/sign-out", body: form).status == 303)
    #expect(try await site.session(of: browser.request("/")) == nil)
  }

  @Test("A logout request of an issuer that is no provider here is refused as that")
  func strangerLogout() async throws {
    for (simulator, code) in [(other, TokenError.Code.signInProvider), (idp, nil)] {
      let sender = try ServiceProvider(
        entityID: simulator.entityID, consumer: HTTPURL("https://idp.example/acs"),
        logout: HTTPURL("https://idp.example/slo"), signingKeys: [simulator.key])
      let target = IdentityProvider(
        entityID: "https://app.example/saml", signOn: [],
        logout: [.init(.redirect, try HTTPURL("https://app.example/saml/slo"))])
      let session = IssuerSession(index: "s1", name: SubjectName("ada"))
      let begun = try #require(try sender.beginLogout(of: session, at: target, at: clock.now))
      let response = try await Browser(site).send(
        "GET", "/saml/slo?" + (begun.action.address.query ?? ""))
      #expect(code.map { response.text.isRefusal($0) } ?? (response.status == 303))
    }
  }

  @Test("Three sign-ins in ten seconds are a loop; those of a clock that was set back are none")
  func loops() async throws {
    let now = clock.now.seconds
    for (times, isLoop) in [
      ("\(now - 9).\(now)", true), ("\(now + 60).\(now + 61)", false),
      ("\(now - 10).\(now)", false), ("x.y", false), ("\(now - 9)-\(now)", false),
      ("\(now - 9)-2c26b46b.\(now)", false), ("\(now - 9)-2c26b46b.\(now).\(now)", true),
    ] {
      let browser = Browser(site)
      browser.set("__Host-signin-times", times)
      let response = try await browser.send("GET", "/sign-in")
      #expect(response.text.isRefusal(.signInLoop) == isLoop, "\(times)")
      #expect((response.status == 303) == !isLoop)
    }
  }

  @Test("Who is signed in sees what is wrong with an answer; only one that came again leads on")
  func refusedThough() async throws {
    let browser = Browser(site)
    try await signIn(browser)
    let request = try await begin(browser)
    let bad = try idp.message(
      .init(inResponseTo: request, audience: "https://rp.example/", at: clock.now))
    let refused = try await browser.send("POST", "/saml/acs", body: bad, cause: .navigation)
    #expect(refused.text.isRefusal(.audienceMismatch))
    let good = try idp.message(.init(inResponseTo: request, at: clock.now))
    for _ in 0..<2 {
      let response = try await browser.send("POST", "/saml/acs", body: good, cause: .navigation)
      #expect(response.status == 303 && response.fields["Location"] == "/page")
    }
  }

  @Test("Only a browser that opens a page is sent to sign in: a form that it posts is not")
  func documents() throws {
    for (method, status) in [("POST", 401), ("HEAD", 401), ("GET", 303)] {
      let request = WebRequest(
        method: method, path: "/page", fields: try HTTPFields([("Accept", "text/html")]))
      #expect(site.signInRequired(request).status == status, "\(method)")
    }
  }

  @Test("An artifact of a sign-in that this browser did not begin is refused, over plain http too")
  func unknownArtifact() async throws {
    let settings = try SiteSettings(origin: HTTPURL("http://127.0.0.1:8080/").origin, prefix: "/")
    let service = try ServiceProvider(
      entityID: "https://app.example/saml", consumer: settings.address("saml/acs"))
    let plain = try SignInSite(
      settings,
      providers: [
        SignInProvider(
          id: "p0", name: "P", .saml(service, .fixed(idp.provider)),
          registry: StaticRegistry(Trust(issuers: [idp.trusted], audiences: .oneOf([]))))
      ], pages: PlainPages(), clock: clock)
    let artifact = Data([0, 4, 0, 0] + [UInt8](repeating: 7, count: 40)).base64EncodedString()
    let response = try await Browser(plain).send(
      "GET",
      "/saml/acs?SAMLart=" + HTTPURL.percentEncoded(artifact) + "&RelayState="
        + String(repeating: "a", count: 40))
    #expect(response.text.isRefusal(.signInUnknown))
  }

  @Test("A body above the limit is not even looked at")
  func bodies() async throws {
    func send(_ count: Int) async -> HTTPResponse {
      await site.respond(
        to: WebRequest(
          method: "POST", path: "/metadata", body: [UInt8](repeating: 0x61, count: count)))
    }
    #expect(await send(site.settings.bodyLimit + 1).text.isRefusal(.inputTooLarge))
    #expect(await send(site.settings.bodyLimit).status == 404)
  }

  @Test("A token comes as Bearer or as WRAP has it; what is neither whole nor one is refused")
  func requestTokens() async throws {
    let trust = Trust(issuers: [idp.trustedJWT], audiences: .oneOf(["api"]))
    let authenticator = TokenAuthenticator(StaticRegistry(trust), clock: clock)
    let jwt = try idp.jwt(audience: "api", at: clock.now)
    for header in ["Bearer \(jwt)", "bearer   \(jwt)", "WRAP access_token=\"\(jwt)\""] {
      let token = try #require(try RequestToken(authorization: [header], mobile: []))
      #expect(try await authenticator.principal(token).subject == "ada")
    }
    for header in [
      "WRAP \(jwt)", "WRAP \(jwt)\"", "WRAP access_token=\"\(jwt)", "WRAP access_token=\"\"",
      "WRAP access_token=\"", "WRAP other_tokens=\"\(jwt)\"", "Bearer ", "Bearer    ",
    ] {
      #expect(throws: TokenError(.clientParameter), "\(header)") {
        try RequestToken(authorization: [header], mobile: [])
      }
    }
    #expect(throws: TokenError(.clientDuplicateParameter)) {
      try RequestToken(authorization: ["Bearer a"], mobile: ["b"])
    }
    for header in ["Basic YTpi", "Bearer"] {
      #expect(try RequestToken(authorization: [header], mobile: []).map { _ in 0 } == nil)
    }
  }

  @Test("RFC 6750, 3.1: A request that is none and a token that is bad are told apart")
  func challenges() {
    for (code, name) in [
      (TokenError.Code.clientParameter, "invalid_request"),
      (.clientDuplicateParameter, "invalid_request"), (.expired, "invalid_token"),
    ] {
      let response = TokenAuthenticator.refusal(TokenError(code))
      #expect(response.fields["WWW-Authenticate"]?.contains("error=\"\(name)\"") == true)
    }
  }
}
