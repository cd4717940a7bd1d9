import Federation
import SAML
import TestSupport
import Testing

@Suite("Codes that few tokens cause")
struct RareCodeTests {
  @Test("A text that does not begin like a token is not recognised")
  func unrecognized() {
    #expect(throws: TokenError(.unrecognizedInput)) {
      try AnyToken(reading: Array("hello, world".utf8))
    }
  }

  @Test("An endpoint without a configured audience accepts nothing")
  func audienceNotConfigured() throws {
    let vector = try #require(
      TestVector.all.first { $0.id == "saml20/response-assertion-signed" })
    var trust = try vector.trust()
    trust.audiences = .oneOf([])
    let token = try AnyToken(reading: vector.token)
    let now = try Instant(dateTime: vector.at ?? "")
    #expect(throws: TokenError(.audienceNotConfigured)) {
      try TokenValidator(trust).validate(token, at: now)
    }
    trust.audiences = .oneOf(vector.audiences)
    #expect(throws: Never.self) { try TokenValidator(trust).validate(token, at: now) }
  }
}
