import Claims
import SAML
import Testing
import TokenBasics

@Suite("The subject of a SAML assertion")
struct SubjectCheckTests {
  private static let subject = "<saml:NameID>alice@idp.example</saml:NameID>"
  static let changes: [AssertionChange] = [
    AssertionChange(
      testDescription: "a subject's name that another service qualifies",
      changes: [
        (subject, "<saml:NameID SPNameQualifier=\"urn:x\">alice@idp.example</saml:NameID>")
      ], code: .spNameQualifier),
    AssertionChange(
      testDescription: "a subject's name that we qualify",
      changes: [
        (
          subject,
          "<saml:NameID SPNameQualifier=\"https://rp.example/saml\">alice@idp.example</saml:NameID>"
        )
      ], code: nil),
  ]

  @Test("A change breaks the one check that it concerns", arguments: changes)
  func verdict(change: AssertionChange) throws { try change.expect() }
}
