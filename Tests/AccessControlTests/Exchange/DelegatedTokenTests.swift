import AccessControl
import HTTPExchange
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

@Suite("Tokens of OAuth 2.0 draft 13 are exchanged as others are")
struct DelegatedTokenTests {
  @Test("A token for a code, and for a refresh token, is known until the person signs out")
  func codes() async throws {
    var client = RelyingParty(realm: "client", format: .jwt, ruleGroups: ["all"])
    client.exchange.draft13Clients = ["uploader"]
    client.clientSecret = Secret("secret")
    client.exchange.clients = ["client"]
    var uploader = ServiceIdentity(name: "uploader", password: Secret("pass word"))
    uploader.redirectAddresses = [try HTTPURL("https://app.example/code")]
    let people = [TestPerson(name: "Mia", claims: ClaimSet([Claim(.nameIdentifier, "mia")]))]
    let fixture = try SiteFixture(
      ServiceNamespace(
        issuer: "https://acs.example/", relyingParties: [client],
        providers: [ACSIdentityProvider(id: "Google", name: "Google", .testPeople(people))],
        identities: [uploader],
        ruleGroups: [RuleGroup("all", rules: [ClaimRule(ClaimCondition(.provider("Google")))])],
        keys: NamespaceKeys(
          signing: SiteFixture().signing,
          identifiers: SymmetricKey(bytes: SiteFixture.identifiers))))
    let begun = try await fixture.get(
      "/v2/OAuth2-13/authorize?response_type=code&client_id=uploader&whr=Google&scope=client"
        + "&redirect_uri=https%3A%2F%2Fapp.example%2Fcode")
    let pressed = try await fixture.press("0", after: begun)
    let location = try HTTPURL(try #require(pressed.fields["Location"], "\(pressed.text)"))
    let code = try FormReader((location.query ?? "").utf8).require("code")
    func token(_ fields: [(String, String)]) async throws -> JSONValue {
      let answer = try await fixture.post(
        "/v2/OAuth2-13",
        fields + [
          ("client_id", "uploader"), ("client_secret", "pass word"), ("scope", "client"),
        ])
      #expect(answer.status == 200, "\(answer.text)")
      return try JSONParser.parse(answer.body)
    }
    func exchanged(_ json: JSONValue) async throws -> Int {
      try await fixture.post(
        "/v2/openid/token",
        [
          ("grant_type", ExchangeFixture.grant + "token-exchange"), ("client_id", "client"),
          ("client_secret", "secret"), ("audience", "client"),
          ("subject_token", json["access_token"]?.string ?? ""),
          ("subject_token_type", ExchangeFixture.type + "jwt"),
        ]
      ).status
    }
    let first = try await token([
      ("grant_type", "authorization_code"), ("code", code),
      ("redirect_uri", "https://app.example/code"),
    ])
    let second = try await token([
      ("grant_type", "refresh_token"), ("refresh_token", first["refresh_token"]?.string ?? ""),
    ])
    for json in [first, second] { #expect(try await exchanged(json) == 200) }
    try await fixture.signOut(pressed.cookies)
    for json in [first, second] { #expect(try await exchanged(json) == 400) }
  }
}
