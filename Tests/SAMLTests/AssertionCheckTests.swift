import Claims
import SAML
import Testing
import TokenBasics

/// One change to an assertion, and what the checks make of it.
struct AssertionChange: Sendable, CustomTestStringConvertible {
  let testDescription: String
  var vector = "saml20/assertion-alone.xml"
  let changes: [(String, String)]
  var now = "2030-01-01T12:00:00Z"
  /// Nil for a change that passes.
  let code: TokenError.Code?

  /// Expects that check to fail, and no other.
  func expect() throws {
    let checked = try CheckedAssertion(vector, changes, at: now)
    #expect(checked.failures == (code.map { [$0] } ?? []))
  }
}

@Suite("The checks of an assertion together; Checks has a file for each")
struct AssertionCheckTests {
  @Test("An unchanged assertion passes", arguments: ["saml20", "saml11"])
  func unchanged(version: String) throws {
    #expect(try CheckedAssertion("\(version)/assertion-alone.xml").failures == [])
  }

  @Test("Every check runs, whatever the others find")
  func all() throws {
    let checked = try CheckedAssertion(
      "saml20/assertion-alone.xml",
      [
        ("https://rp.example/saml", "urn:x"), ("urn:oasis:names:tc:SAML:2.0:cm:bearer", "urn:x"),
        ("</saml:Conditions>", "<x:Odd xmlns:x=\"urn:x\"/></saml:Conditions>"),
      ], at: "2030-01-01T13:00:00Z")
    #expect(
      Set(checked.failures)
        == [.audienceMismatch, .expired, .confirmationMethod, .unknownCondition])
  }
}
