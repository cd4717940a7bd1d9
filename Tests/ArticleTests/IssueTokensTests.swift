import Federation
import TestSupport
import Testing

@testable import ArticleExamples

@Suite("The article on issuing tokens")
struct IssueTokensTests {
  @Test("Both tokens are accepted with the same claims, and not by another audience")
  func issues() throws {
    let now = try Instant(dateTime: "2030-01-01T12:00:00Z")
    let key = try SigningKey(PrivateKey(pemOrDER: TestVector.bytes("keys/idp-rsa.key")))
    let tokens = try issue(
      for: "mia", by: "https://idp.example/", to: "https://rp.example/",
      recipient: "https://rp.example/acs", key: key, at: now)
    let issuer = TrustedIssuer(
      "https://idp.example/",
      keys: [try VerificationKey(pemOrDER: TestVector.bytes("keys/idp-rsa.crt"))],
      formats: [.jwt, .saml20])
    for (token, expectations) in [
      (tokens.jwt, Expectations()),
      (tokens.response, Expectations(recipient: "https://rp.example/acs")),
    ] {
      let verified = try TokenValidator(
        Trust(issuers: [issuer], audiences: .oneOf(["https://rp.example/"]))
      ).validate(AnyToken(reading: token), at: now, expecting: expectations)
      #expect(verified.facts.subject == "mia")
      #expect(verified.claims["role"] == ["editor"])
      let other = TokenValidator<AnyToken>(
        Trust(issuers: [issuer], audiences: .oneOf(["urn:other"])))
      #expect(throws: TokenError(.audienceMismatch)) {
        try other.validate(AnyToken(reading: token), at: now, expecting: expectations)
      }
    }
  }
}
