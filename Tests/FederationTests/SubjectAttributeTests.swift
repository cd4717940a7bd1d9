import Federation
import TestSupport
import Testing

/// SAML Core 2.7.3.1: attributes are what their statement says, and the subject is what its name says.
@Suite("Attributes beside the subject's name")
struct SubjectAttributeTests {
  private static let type: ClaimType =
    "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier"

  private func verified(_ id: String) throws -> Verified<AnyToken> {
    let vector = try #require(TestVector.all.first { $0.id == id })
    return try vector.report(on: vector.token).get()
  }

  @Test("An attribute under the subject's claim type does not join it, and a warning says so")
  func other() throws {
    let verified = try verified("saml20/values-claim-collision")
    #expect(verified.claims[Self.type] == ["alice@idp.example"])
    #expect(verified.warnings.contains { $0.contains("does not join it") })
  }

  @Test("An attribute that repeats the subject's name stays, without a warning")
  func same() throws {
    let verified = try verified("issuers/auth0-saml20")
    #expect(verified.claims[Self.type] == ["auth0|0001", "auth0|0001"])
    #expect(!verified.warnings.contains { $0.contains("does not join it") })
  }
}
