import AccessControl
import HTTPExchange
import TestSupport
import Testing

@Suite("Clients that describe themselves at their identifier")
struct ClientDocumentTests {
  private static let id = "https://agent.example/client.json"
  private let transport = ClientDocumentTransport()

  private func fixture(issuer: String = "https://acs.example/") throws -> OAuthFixture {
    try OAuthFixture(
      issuer: issuer,
      registration: ClientRegistration(
        relyingParty: OAuthFixture.api, token: Secret("t"), transport: transport))
  }

  private static func document(
    _ id: String = Self.id, _ more: String = "", redirect: String = "https://agent.example/cb"
  ) -> String {
    "{\"client_id\": \"\(id)\", \"client_name\": \"Agent\", \"redirect_uris\": [\"\(redirect)\"]\(more)}"
  }

  private static func target(
    _ id: String = Self.id, redirect: String = "https://agent.example/cb"
  ) -> String {
    OAuthFixture.target(
      "chat",
      [
        "client_id": id, "redirect_uri": redirect, "scope": "read",
        "resource": OAuthFixture.api,
      ])
  }

  private func page(_ fixture: OAuthFixture, _ id: String = Self.id) async throws
    -> HTTPExchange.HTTPResponse
  {
    try await fixture.site.get(Self.target(id))
  }

  @Test(
    "The page names the host of the document, and where the code goes if that is elsewhere",
    arguments: [
      ("https://agent.example/cb", "agent.example"),
      ("https://evil.example/cb", "agent.example, to evil.example"),
      ("http://127.0.0.1/cb", "agent.example, to a program on this computer"),
    ])
  func namesGoal(redirect: String, place: String) async throws {
    let fixture = try fixture()
    try transport.publish(Self.document(redirect: redirect), at: Self.id)
    let page = try await fixture.site.get(Self.target(redirect: redirect))
    #expect(page.text.contains("application Agent (\(place))"), "\(page.text)")
  }

  @Test("A document makes a client, and is asked for once while it is good")
  func works() async throws {
    let fixture = try fixture()
    try transport.publish(Self.document(), at: Self.id, [("Cache-Control", "max-age=120")])
    let page = try await page(fixture)
    #expect(page.status == 200 && page.text.contains("link Google "), "\(page.text)")
    let link = try #require(page.text.split(separator: "\n").first { $0.hasPrefix("link Google ") })
    let response = try await fixture.site.press(
      "0", at: HTTPURL(String(link.dropFirst(12))).target, cookies: page.cookies)
    let location = try HTTPURL(try #require(response.fields["Location"], "\(response.text)"))
    let code = try FormReader((location.query ?? "").utf8).require("code")
    let tokens = try await fixture.post(
      "/v2/openid/token",
      [
        ("grant_type", "authorization_code"), ("code", code), ("client_id", Self.id),
        ("redirect_uri", "https://agent.example/cb"), ("code_verifier", OAuthFixture.verifier),
      ], as: nil)
    #expect(tokens.status == 200, "\(tokens.response.text)")
    let access = try ExchangeFixture.parts(
      try #require(tokens.json["access_token"]?.string)
    ).payload
    #expect(access["client_id"]?.string == Self.id && access["aud"]?.string == OAuthFixture.api)
    #expect(transport.addresses == [Self.id])
    fixture.site.clock.advance(bySeconds: 121)
    #expect(try await self.page(fixture).status == 200)
    #expect(transport.addresses.count == 2)
  }

  @Test(
    "A document that is not of the client, has a secret, or is none, makes no client and is asked for again",
    arguments: [
      Self.document("https://agent.example/other.json"),
      Self.document("https://agent.example/client.json/"),
      Self.document(Self.id, ", \"client_secret\": \"s\""),
      Self.document(Self.id, ", \"client_secret_expires_at\": 0"),
      Self.document(Self.id, ", \"token_endpoint_auth_method\": \"client_secret_basic\""),
      Self.document(Self.id, ", \"token_endpoint_auth_method\": \"private_key_jwt\""),
      Self.document(redirect: "http://agent.example/cb"), "[]", "", "<html>",
      Self.document(Self.id, ", \"x\": \"\(String(repeating: "x", count: 5_000))\""),
    ])
  func refused(document: String) async throws {
    let fixture = try fixture()
    try transport.publish(document, at: Self.id)
    for count in 1...2 {
      let page = try await page(fixture)
      #expect(page.status == 400 && page.fields["Location"] == nil, "\(page.text)")
      #expect(page.text.contains("code \(TokenError.Code.registrationDocument)"), "\(page.text)")
      #expect(transport.addresses.count == count)
    }
    let tokens = try await fixture.post(
      "/v2/openid/token", [("grant_type", "authorization_code"), ("client_id", Self.id)], as: nil)
    #expect(tokens.status == 401 && tokens.json["error"]?.string == "invalid_client")
  }

  @Test(
    "Another status or a redirect is no document, and neither is an address that does not answer")
  func answers() async throws {
    for (status, fields) in [(404, []), (302, [("Location", "https://agent.example/x")])]
      as [(Int, [(String, String)])]
    {
      try transport.publish(Self.document(), at: Self.id, status: status, fields)
      #expect(try await page(fixture()).status == 400)
    }
    #expect(transport.addresses == [Self.id, Self.id])
    let other = "https://nowhere.example/client.json"
    #expect(try await page(fixture(), other).status == 400)
  }

  @Test(
    "An address within a network, or one that two readers read differently, is never asked for",
    arguments: [
      "https://localhost/client.json", "https://127.0.0.1/client.json", "https://[::1]/client.json",
      "http://127.0.0.1:8080/client.json", "https://10.0.0.1/client.json",
      "https://intranet/client.json",
      "https://2130706433/client.json", "https://printer.local/client.json",
      "https://db.internal/client.json", "https://agent.example:8443/client.json",
      "https://agent.example/", "https://agent.example", "https://agent.example/a/../client.json",
      "https://agent.example/%2E%2e/client.json", "https://agent.example/client.json?x=1",
      "https://agent.example/client.json#f", "https://u@agent.example/client.json",
      "https://AGENT.example/client.json", "http://agent.example/client.json",
      "http://agent.example:443/client.json",
      "https://agent.example/" + String(repeating: "a", count: 479),
    ])
  func neverAsked(id: String) async throws {
    let page = try await page(fixture(), id)
    #expect(page.status != 200 && page.fields["Location"] == nil)
    #expect(page.text.contains("code issuing.unknown-realm"), "\(page.text)")
    #expect(transport.addresses == [])
  }

  @Test("A service on loopback reads documents on loopback, for development")
  func loopback() async throws {
    let id = "http://127.0.0.1:8080/client.json"
    try transport.publish(Self.document(id), at: id)
    let fixture = try fixture(issuer: "http://127.0.0.1:8090/")
    #expect(try await page(fixture, id).status == 200)
    #expect(transport.addresses == [id])
  }

  @Test("Ten documents a second are asked for, and those that are known stay good")
  func rate() async throws {
    let fixture = try fixture()
    try transport.publish(Self.document(), at: Self.id)
    #expect(try await page(fixture).status == 200)
    for number in 0..<9 {
      #expect(try await page(fixture, "https://a\(number).example/client.json").status == 400)
    }
    let held = try await page(fixture, "https://b.example/client.json")
    #expect(held.status == 429, "\(held.text)")
    let asked = try await fixture.post(
      "/v2/openid/token",
      [
        ("grant_type", "authorization_code"), ("client_id", "https://b.example/client.json"),
      ], as: nil)
    #expect(asked.status == 429, "\(asked.response.text)")
    #expect(try await page(fixture).status == 200)
    fixture.site.clock.advance(bySeconds: 1)
    #expect(try await page(fixture, "https://b.example/client.json").status == 400)
  }

  @Test("One sender's unknown documents do not hold another sender back")
  func senders() async throws {
    let fixture = try fixture()
    func page(_ id: String, from peer: String) async throws -> Int {
      let parts = Self.target(id).split(separator: "?", maxSplits: 1)
      var request = WebRequest(method: "GET", path: String(parts[0]), query: String(parts[1]))
      request.peer = peer
      return await fixture.site.site.respond(to: request).status
    }
    try transport.publish(Self.document(), at: Self.id)
    var statuses: [Int: Int] = [:]
    for number in 0..<60 {
      let status = try await page("https://a\(number).example/client.json", from: "192.0.2.1")
      statuses[status, default: 0] += 1
      if number % 5 == 4 { fixture.site.clock.advance(bySeconds: 1) }
      // An honest client comes by another way.
      if number == 40 { #expect(try await page(Self.id, from: "192.0.2.2") == 200) }
    }
    #expect((20...24).contains(statuses[400] ?? 0) && statuses[429] == 60 - (statuses[400] ?? 0))
  }

  @Test("A document that was good goes on for a day while too many others are asked for")
  func keepsGood() async throws {
    let fixture = try fixture()
    try transport.publish(Self.document(), at: Self.id, [("Cache-Control", "max-age=60")])
    #expect(try await page(fixture).status == 200)
    for (age, status) in [(61, 200), (86_400, 429)] as [(Int64, Int)] {
      fixture.site.clock.advance(bySeconds: age)
      for number in 0..<10 { _ = try await page(fixture, "https://a\(number).example/c.json") }
      #expect(try await page(fixture).status == status)
    }
    fixture.site.clock.advance(bySeconds: 1)
    #expect(try await page(fixture).status == 200)
  }

  @Test("Without registration an address is no client")
  func closed() async throws {
    let fixture = try OAuthFixture()
    let page = try await page(fixture)
    #expect(page.text.contains("code issuing.unknown-realm"), "\(page.text)")
  }

  @Test("An address of five hundred octets is asked for")
  func longAddress() async throws {
    let id = "https://agent.example/" + String(repeating: "a", count: 478)
    try transport.publish(Self.document(id), at: id)
    #expect(try await page(fixture(), id).status == 200)
  }
}
