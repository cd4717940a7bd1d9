import Claims
import SAML
import Testing
import TokenBasics

@Suite("The confirmation of a SAML subject")
struct ConfirmationCheckTests {
  private static let bearer = "urn:oasis:names:tc:SAML:2.0:cm:bearer"
  private static let vector = "saml20/assertion-alone.xml"
  private static let expected = Expectations(
    recipient: "https://rp.example/acs", inResponseTo: "_q1")

  private static func failures(
    _ changes: [(String, String)], _ expectations: Expectations = expected,
    at now: String = "2030-01-01T12:00:00Z"
  ) throws -> [TokenError.Code] {
    try CheckedAssertion(vector, changes, expecting: expectations, at: now).failures
  }

  static let changes: [AssertionChange] = [
    AssertionChange(
      testDescription: "a confirmation by key",
      changes: [(bearer, "urn:oasis:names:tc:SAML:2.0:cm:holder-of-key")],
      code: .confirmationMethod),
    AssertionChange(
      testDescription: "SAML 1.1: one statement of two that is confirmed by key",
      vector: "saml11/confirmation-holder-of-key.xml", changes: [], code: .confirmationMethod),
  ]

  @Test("A change breaks the one check that it concerns", arguments: changes)
  func verdict(change: AssertionChange) throws { try change.expect() }

  @Test("Recipient and request as expected pass")
  func expected() throws {
    #expect(try Self.failures([]) == [])
  }

  @Test("Another recipient is refused, and a missing one")
  func recipient() throws {
    let written = "Recipient=\"https://rp.example/acs\""
    #expect(
      try Self.failures([(written, "Recipient=\"https://rp.example/acs/\"")])
        == [.recipientMismatch])
    #expect(try Self.failures([(written, "")]) == [.recipientMissing])
    #expect(try Self.failures([(written, "")], Expectations(inResponseTo: "_q1")) == [])
  }

  @Test("Another request is refused, and a missing one")
  func request() throws {
    let written = "InResponseTo=\"_q1\""
    #expect(
      try Self.failures([(written, "InResponseTo=\"_q2\"")]) == [.confirmationRequestMismatch])
    #expect(try Self.failures([(written, "")]) == [.confirmationUnsolicited])
    #expect(
      try Self.failures([(written, "")], Expectations(recipient: "https://rp.example/acs")) == [])
  }

  @Test("A confirmation ends at its own moment, and a sign-in needs such a moment")
  func bounds() throws {
    let written = "NotOnOrAfter=\"2030-01-01T12:05:00Z\" InResponseTo"
    let sooner = [(written, "NotOnOrAfter=\"2030-01-01T12:02:00Z\" InResponseTo")]
    #expect(try Self.failures(sooner, at: "2030-01-01T12:02:59.999Z") == [])
    #expect(try Self.failures(sooner, at: "2030-01-01T12:03:00Z") == [.confirmationExpired])
    #expect(try Self.failures([(written, "InResponseTo")]) == [.confirmationData])
    #expect(try Self.failures([(written, "InResponseTo")], Expectations()) == [])
    let later = [(written, "NotBefore=\"2030-01-01T12:02:00Z\" \(written)")]
    #expect(try Self.failures(later) == [.confirmationNotYetValid])
    #expect(try Self.failures(later, at: "2030-01-01T12:01:00Z") == [])
  }

  @Test("A sign-in needs an authentication statement")
  func statement() throws {
    let expectations = Self.expected
    let absent = try CheckedAssertion("saml20/authn-absent-sign-in.xml", expecting: expectations)
    #expect(absent.failures == [.noAuthentication])
    let query = try CheckedAssertion("saml20/authn-absent-sign-in.xml")
    #expect(query.failures == [])
  }
}
