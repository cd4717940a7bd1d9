import HTTPExchange
import SAML
import SecurityKeys
import SignIn
import TestSupport
import Testing
import TokenBasics

@testable import AccessControl

/// What is no fault of the client that exchanges a token, and whom a token is asked of.
@Suite("Faults of the service and of providers at the exchange of tokens")
struct ExchangeFaultTests {
  private static let type = ExchangeFixture.type

  private struct Away: HTTPTransport {
    func response(to request: HTTPRequest) async throws(TokenError) -> HTTPExchange.HTTPResponse {
      throw TokenError(.transportNoConnection)
    }
  }

  @Test("A claim that the format cannot carry is refused with 400, and another format carries it")
  func unwritable() async throws {
    let fixture = try ExchangeFixture(rules: [
      ClaimRule(ClaimCondition(.provider("op"), type: "plain"))
    ])
    for (type, claims, code) in [
      ("saml2", [Claim(.emailAddress, "a\u{1}b")], "policy.mint-character"),
      ("saml1", [Claim("plain", "x")], "policy.mint-claim-type"),
    ] {
      let token = try fixture.token(for: "agent", claims)
      let answer = try await fixture.exchange(
        token, Self.type + "jwt", ["requested_token_type": Self.type + type])
      #expect(answer.status == 400, "\(answer.response.text)")
      #expect(answer.json["error"]?.string == "invalid_request")
      #expect(answer.response.text.contains("ACS60000") && answer.response.text.contains(code))
      let other = try await fixture.exchange(
        token, Self.type + "jwt", ["requested_token_type": Self.type + "jwt"])
      #expect(other.status == 200, "\(other.response.text)")
    }
  }

  @Test("A key that is missing and a provider away are ours: 5xx")
  func ownFaults() async throws {
    let (keyless, away, whole) = (
      try ExchangeFixture(isKeyed: false), try ExchangeFixture(transport: Away()),
      try ExchangeFixture()
    )
    for (fixture, token, wanted, code) in [
      (keyless, try keyless.token(), ExchangeFixture.swt, "issuing.no-symmetric-key"),
      (away, try away.token(), Self.type + "jwt", "registry.unavailable"),
    ] {
      let answer = try await fixture.exchange(
        token, Self.type + "jwt", ["requested_token_type": wanted])
      #expect(answer.status >= 500, "\(code): \(answer.response.text)")
      #expect(answer.response.text.contains("(\(code))"), "\(answer.response.text)")
      #expect(
        answer.json["error"]?.string != "invalid_request" && answer.json["access_token"] == nil)
    }
    let answer = try await whole.exchange(
      try whole.token(), Self.type + "jwt", ["requested_token_type": ExchangeFixture.swt])
    #expect(answer.status == 200, "\(answer.response.text)")
  }

  @Test("Whom a token is about is kept where a client may exchange it, and nowhere else")
  func kept() async throws {
    // A store without room takes nothing.
    for (room, isThere) in [(0, false), (9, true)] {
      let fixture = try ExchangeFixture(values: MemoryValueStore(capacity: room))
      for (realm, isGiven) in [("urn:api", true), ("client", isThere)] {
        let answer = try await fixture.exchange(
          fixture.assertion(), Self.type + "saml2", ["audience": realm])
        #expect(
          isGiven ? answer.status == 200 : answer.status >= 500,
          "\(realm): \(answer.response.text)")
      }
    }
  }

  @Test("A client that there is not is told from one with another secret")
  func unknownClient() async throws {
    let fixture = try ExchangeFixture()
    for (client, code) in [
      ("unknown", TokenError.Code.issuingClient), ("agent", .issuingClientSecret),
    ] {
      let answer = try await fixture.post(
        [
          ("grant_type", "client_credentials"), ("resource", "urn:api"), ("client_id", client),
          ("client_secret", "wrong"),
        ], as: nil)
      #expect(answer.status == 401 && answer.json["error"]?.string == "invalid_client")
      #expect(answer.response.text.contains("(\(code))"), "\(answer.response.text)")
    }
    #expect(
      try await fixture.post([("grant_type", "client_credentials"), ("resource", "urn:api")]).status
        == 200)
  }

  private func code(
    _ fixture: ExchangeFixture, _ token: String, _ type: String
  ) async throws -> String {
    let answer = try await fixture.exchange(token, Self.type + type)
    return answer.status == 200 ? "ok" : answer.response.text
  }

  @Test("A token is asked of the one provider that issues such tokens under the name in it")
  func providers() async throws {
    let fixture = try ExchangeFixture()
    let old = Base64.encode(
      try SAMLIssuer(.v1, key: fixture.upstream).assertion(
        fixture.draft("https://idp.example/", for: "https://agent.example/saml")), .url)
    #expect(try await code(fixture, old, "saml1").contains("(exchange.provider)"))
    #expect(try await code(fixture, fixture.oldAssertion(), "saml1") == "ok")
    let twin = ACSIdentityProvider(id: "twin", name: "Twin", .upstream("at-op"))
    let twins = try ExchangeFixture(more: [twin])
    #expect(try await code(twins, twins.token(), "jwt").contains("(exchange.provider)"))
    #expect(try await code(twins, twins.assertion(), "saml2") == "ok")
    let response = Base64.encode(
      try SAMLIssuer(.v2, key: fixture.upstream).response(
        fixture.draft("https://idp.example/", for: "https://agent.example/saml")), .url)
    #expect(try await code(fixture, response, "saml2").contains("(signin.token-kind)"))
  }

  @Test("A client of another authorization server alone may exchange tokens for grants there")
  func grantClients() async throws {
    for (clients, isKnown) in [(["stranger"], true), (["agent"], false)] {
      let fixture = try ExchangeFixture(serverClients: clients)
      let answer = try await fixture.exchange(
        try fixture.token(for: "stranger"), Self.type + "jwt",
        ["requested_token_type": Self.type + "id-jag", "audience": "https://as.example"],
        as: "stranger")
      #expect((answer.status == 200) == isKnown, "\(answer.response.text)")
      if !isKnown { #expect(answer.json["error"]?.string == "unauthorized_client") }
    }
  }

  @Test("An opaque access token is 32 octets in base64url")
  func opaque() {
    for character in ["a", "Z", "0", "-", "_"] {
      #expect(AccessToken.isOpaque(String(repeating: character, count: 43)), "\(character)")
      #expect(!AccessToken.isOpaque(String(repeating: character, count: 42)))
      #expect(!AccessToken.isOpaque(String(repeating: character, count: 44)))
    }
    for character in ["+", "/", "=", ".", " ", "\u{e4}"] {
      #expect(!AccessToken.isOpaque(character + String(repeating: "a", count: 42)), "\(character)")
    }
  }
}
