import Claims
import SAML
import Testing
import TokenBasics

@Suite("The audiences of a SAML assertion")
struct AudienceCheckTests {
  static let changes: [AssertionChange] = [
    AssertionChange(
      testDescription: "an audience of another service",
      changes: [("https://rp.example/saml", "https://other.example/saml")], code: .audienceMismatch),
    AssertionChange(
      testDescription: "a second restriction that names another service",
      changes: [
        (
          "</saml:AudienceRestriction>",
          "</saml:AudienceRestriction><saml:AudienceRestriction><saml:Audience>urn:x</saml:Audience>"
            + "</saml:AudienceRestriction>"
        )
      ], code: .audienceMismatch),
    AssertionChange(
      testDescription: "a second restriction that names us beside another service",
      changes: [
        (
          "</saml:AudienceRestriction>",
          "</saml:AudienceRestriction><saml:AudienceRestriction><saml:Audience>urn:x</saml:Audience>"
            + "<saml:Audience>https://rp.example/saml</saml:Audience></saml:AudienceRestriction>"
        )
      ], code: nil),
  ]

  @Test("A change breaks the one check that it concerns", arguments: changes)
  func verdict(change: AssertionChange) throws { try change.expect() }

  @Test("Any audience passes where the trust allows it, and none where it names none of ours")
  func audiences() throws {
    let any = try CheckedAssertion("saml20/assertion-alone.xml", audiences: .any)
    #expect(any.failures.isEmpty && any.outcome(of: .audience) == .skipped)
    let none = try CheckedAssertion("saml20/assertion-alone.xml", audiences: .oneOf([]))
    #expect(none.failures == [.audienceNotConfigured])
  }
}
