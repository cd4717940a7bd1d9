import AccessControl
import Claims
import Testing

@Suite("Claims that a rule without a type passes on")
struct PassThroughTests {
  private func given(_ type: String, by rule: ClaimRule) throws -> [String] {
    try RuleEngine([RuleGroup("default", rules: [rule])]).evaluate(
      ClaimSet([Claim(ClaimType(type), "x"), Claim("team", "red")]), from: .provider("up"),
      issuer: "https://acs.example/"
    ).map(\.claim.type.name)
  }

  @Test(
    "A provider never states what the issuer of a token states itself",
    arguments: [
      "iss", "sub", "aud", "exp", "iat", "nbf", "jti", "scope", "client_id", "act", "may_act",
      "acr",
      "amr", "auth_time", "nonce", "sid", "cnf", "azp", "events", "at_hash", "c_hash",
      "email_verified", "identityprovider", "authorization_details", "nameidentifier",
      "http://schemas.microsoft.com/claims/authnmethodsreferences",
    ])
  func kept(type: String) throws {
    let source = ClaimCondition(.provider("up"))
    #expect(try given(type, by: ClaimRule(source)) == ["team"])
  }

  @Test("A rule that names the type passes it on")
  func typed() throws {
    let rule = ClaimRule(ClaimCondition(.provider("up"), type: "scope"))
    #expect(try given("scope", by: rule) == ["scope"])
  }
}
