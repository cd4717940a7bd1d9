import Claims
import SAML
import Testing
import TokenBasics

@Suite("The conditions of a SAML assertion")
struct ConditionCheckTests {
  static let changes: [AssertionChange] = [
    AssertionChange(
      testDescription: "an unknown condition",
      changes: [
        ("</saml:Conditions>", "<x:Odd xmlns:x=\"urn:x\"/></saml:Conditions>")
      ], code: .unknownCondition),
    AssertionChange(
      testDescription: "a condition of one use",
      changes: [("</saml:Conditions>", "<saml:OneTimeUse/></saml:Conditions>")], code: nil),
  ]

  @Test("A change breaks the one check that it concerns", arguments: changes)
  func verdict(change: AssertionChange) throws { try change.expect() }
}
