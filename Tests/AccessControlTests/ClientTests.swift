import AccessControl
import FederationClient
import HTTPExchange
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

/// The client was built from the protocol's text, years of recorded shapes, and a simulator; the service from the text
/// alone. Here they meet.
@Suite("The package's client at the local Access Control Service")
struct ClientTests {
  private let fixture: SiteFixture

  init() throws { fixture = try SiteFixture() }

  private func client(_ realm: String) throws -> AccessControlClient {
    AccessControlClient(
      try AccessControlService(base: HTTPURL("https://acs.example/"), realm: realm),
      trust: try fixture.trust(realm), transport: SiteTransport(site: fixture.site),
      time: fixture.clock)
  }

  /// Opens the page of a provider and presses a choice there.
  private static func pressed(
    _ choice: String, at address: String, _ fixture: SiteFixture, cookies: String? = nil
  ) async throws -> HTTPExchange.HTTPResponse {
    let url = try HTTPURL(address)
    let first = try await fixture.get(url.target, cookies: cookies)
    guard first.fields["Location"] == nil else {
      return try await fixture.press(choice, after: first)
    }
    return try await fixture.press(choice, at: url.target, cookies: cookies)
  }

  private static func notified(_ page: String) throws -> String {
    let start = try #require(page.firstRange(of: "window.external.Notify("))
    let rest = page[start.upperBound...]
    let end = try #require(rest.firstRange(of: ");</script>"))
    let json = try JSONParser.parse(Array("[\(rest[..<end.lowerBound])]".utf8))
    return try #require(json.array?.first?.string)
  }

  @Test(
    "A native app signs a person in by javascriptnotify",
    arguments: ["uri:talks.example.org", "uri:errors", "app"])
  func notify(realm: String) async throws {
    let fixture = fixture
    let outcome = try await client(realm).signIn(
      scheme: .oauth, rememberingIn: MemoryCredentialStore(),
      choose: { picker in picker.buttons.first { $0.name == "Google" } },
      show: { address in
        let page = try await Self.pressed("0", at: address, fixture)
        return .message(try Self.notified(page.text))
      })
    guard case .signedIn(let session) = outcome else { throw TokenError(.noKey) }
    #expect(session.claims.single(.emailAddress) == "mia@example.org")
    #expect(session.provider == "Google")
  }

  private func passive(
    _ choice: String, realm: String
  ) async throws -> (PassiveSignIn.Outcome, again: @Sendable () async throws -> Void) {
    let client = try client(realm)
    let signIn = PassiveSignIn(client.service, trust: client.trust, time: fixture.clock)
    let (address, cookie) = try signIn.begin(
      PassiveRequest(whr: "Google"), returningTo: ReturnPath("/talks/7?tab=people"))
    let page = try await Self.pressed(choice, at: address.text, fixture).text
    let fields = page.split(separator: "\n").filter { $0.hasPrefix("field ") }.map { line in
      line.dropFirst(6).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { FormEncoding.encode(String($0)) }.joined(separator: "=")
    }
    let message = WebRequest(
      method: "POST", contentType: "application/x-www-form-urlencoded",
      body: Array(fields.joined(separator: "&").utf8))
    return (
      try await signIn.receive(message, browser: cookie),
      { _ = try await signIn.receive(message, browser: cookie) }
    )
  }

  @Test(
    "A site signs a person in by WS-Federation, once", arguments: ["uri:talks.example.org", "app"])
  func passive(realm: String) async throws {
    let (outcome, again) = try await passive("0", realm: realm)
    guard case .signedIn(let token, let path) = outcome else { throw TokenError(.noKey) }
    #expect(token.verified.claims.single(.name) == "Mia")
    #expect(path?.text == "/talks/7?tab=people")
    let error = await #expect(throws: TokenError.self) { try await again() }
    #expect(error?.code == .clientState)
  }

  @Test("A cancellation reaches the error address as one")
  func cancelled() async throws {
    let (outcome, _) = try await passive("cancel", realm: "uri:errors")
    guard case .cancelled = outcome else { throw TokenError(.noKey) }
    let (failed, _) = try await passive("fail", realm: "uri:errors")
    guard case .failed = failed else { throw TokenError(.noKey) }
  }

  @Test("A program gets its token by WRAP: with a password, and with an assertion about itself")
  func wrap() async throws {
    let client = try client("uri:talks.example.org")
    let key = try SymmetricKey(bytes: [UInt8](repeating: 8, count: 32))
    for grant in [
      WRAPGrant.password(name: "uploader", password: Secret("pass word")),
      try .selfSigned(issuer: "uploader", key: key, at: fixture.clock.now),
    ] {
      let token = try await client.token(grant)
      #expect(token.verified.claims.single("urn:program") == "uploader")
      #expect(token.expires == fixture.clock.now.advanced(bySeconds: 599))
    }
    for (grant, code) in [
      (.password(name: "uploader", password: Secret("wrong")), .clientCredentials),
      (try .selfSigned(issuer: "stranger", key: key, at: fixture.clock.now), .clientCredentials),
    ] as [(WRAPGrant, TokenError.Code)] {
      let error = await #expect(throws: TokenError.self) { try await client.token(grant) }
      #expect(error?.code == code)
    }
    let stranger = try self.client("uri:unknown")
    let error = await #expect(throws: TokenError.self) {
      try await stranger.token(.password(name: "uploader", password: Secret("pass word")))
    }
    #expect(error?.code == .clientRelyingParty)
  }

  @Test("A client gets tokens by OAuth 2.0 draft 13: its own, by a code, and by a refresh token")
  func oauth() async throws {
    let client = try client("uri:talks.example.org")
    let me = OAuthClient(id: "uploader", secret: Secret("pass word"))
    let own = try await client.token(.clientCredentials, client: me)
    #expect(own.verified.claims.single("urn:program") == "uploader")
    let proof = ProofKey()
    let redirect = try HTTPURL("https://app.example/code")
    let address = AuthorizationRequest(
      clientID: me.id, redirectURI: redirect, scope: client.service.realm, state: "s",
      proofKey: proof
    ).address(at: try HTTPURL("https://acs.example/v2/OAuth2-13/authorize"))
    let choice = try await fixture.get(address.target)
    let link = try #require(
      choice.text.split(separator: "\n").first { $0.hasPrefix("link Google ") }?.dropFirst(12))
    let answered = try await Self.pressed(
      "0", at: String(link), fixture, cookies: choice.cookies)
    let location = try HTTPURL(try #require(answered.fields["Location"]))
    let query = try FormReader((location.query ?? "").utf8)
    #expect(query["state"] == "s")
    let code = Secret(try query.require("code"))
    let token = try await client.token(
      .authorizationCode(code, redirectURI: redirect, proofKey: proof), client: me)
    #expect(token.verified.claims.single(.emailAddress) == "mia@example.org")
    let refresh = try #require(token.refreshToken)
    let renewed = try await client.token(.refreshToken(refresh), client: me)
    #expect(renewed.verified.claims.single(.name) == "Mia")
    let again = await #expect(throws: TokenError.self) {
      try await client.token(
        .authorizationCode(code, redirectURI: redirect, proofKey: proof), client: me)
    }
    #expect(again?.code == .clientCredentials)
    // RFC 6749, 4.1.2: then what the first use gave ends, too.
    let next = try #require(renewed.refreshToken)
    let ended = await #expect(throws: TokenError.self) {
      try await client.token(.refreshToken(next), client: me)
    }
    #expect(ended?.code == .clientCredentials)
  }
}
