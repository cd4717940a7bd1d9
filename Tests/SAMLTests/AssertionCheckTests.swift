import SAML
import Claims
import Testing
import TokenErrors

/// One change to an assertion, and what the checks make of it.
struct AssertionChange: Sendable, CustomTestStringConvertible {
  let testDescription: String
  var vector = "saml20/assertion-alone.xml"
  let changes: [(String, String)]
  var now = "2030-01-01T12:00:00Z"
  /// Nil for a change that passes.
  let code: TokenError.Code?
}

@Suite("Each check of an assertion, without its signature")
struct AssertionCheckTests {
  private static let subject = "<saml:NameID>alice@idp.example</saml:NameID>"
  private static let bearer = "urn:oasis:names:tc:SAML:2.0:cm:bearer"
  private static let conditions = "<saml:Conditions NotBefore=\"2030-01-01T11:59:00Z\""

  static let changes: [AssertionChange] = [
    AssertionChange(testDescription: "SAML 2.0, unchanged", changes: [], code: nil),
    AssertionChange(
      testDescription: "SAML 1.1, unchanged", vector: "saml11/assertion-alone.xml", changes: [],
      code: nil),
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
    AssertionChange(
      testDescription: "an issue instant beyond the skew",
      changes: [("IssueInstant=\"2030-01-01T12:00:00Z\"", "IssueInstant=\"2030-01-01T12:01:01Z\"")],
      code: .issuedInFuture),
    AssertionChange(
      testDescription: "an issue instant within the skew",
      changes: [("IssueInstant=\"2030-01-01T12:00:00Z\"", "IssueInstant=\"2030-01-01T12:01:00Z\"")],
      code: nil),
    AssertionChange(
      testDescription: "the last moment of validity", changes: [], now: "2030-01-01T12:05:59.999Z",
      code: nil),
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
    AssertionChange(
      testDescription: "an unknown condition",
      changes: [
        ("</saml:Conditions>", "<x:Odd xmlns:x=\"urn:x\"/></saml:Conditions>")
      ], code: .unknownCondition),
    AssertionChange(
      testDescription: "a condition of one use",
      changes: [("</saml:Conditions>", "<saml:OneTimeUse/></saml:Conditions>")], code: nil),
    AssertionChange(
      testDescription: "a sign-in in the future",
      changes: [("AuthnInstant=\"2030-01-01T12:00:00Z\"", "AuthnInstant=\"2030-01-01T12:01:01Z\"")],
      code: .authenticatedInFuture),
    AssertionChange(
      testDescription: "a session that has ended",
      changes: [
        (
          "SessionIndex=\"_s1\"",
          "SessionIndex=\"_s1\" SessionNotOnOrAfter=\"2030-01-01T11:59:00Z\""
        )
      ], code: .sessionEnded),
    AssertionChange(
      testDescription: "a session that ends within the skew",
      changes: [
        (
          "SessionIndex=\"_s1\"",
          "SessionIndex=\"_s1\" SessionNotOnOrAfter=\"2030-01-01T11:59:01Z\""
        )
      ], code: nil),
    AssertionChange(
      testDescription: "a confirmation by key",
      changes: [(bearer, "urn:oasis:names:tc:SAML:2.0:cm:holder-of-key")],
      code: .confirmationMethod),
    AssertionChange(
      testDescription: "SAML 1.1: one statement of two that is confirmed by key",
      vector: "saml11/confirmation-holder-of-key.xml", changes: [], code: .confirmationMethod),
  ]

  @Test("A change breaks the one check that it concerns", arguments: changes)
  func verdict(change: AssertionChange) throws {
    let checked = try CheckedAssertion(change.vector, change.changes, at: change.now)
    #expect(checked.failures == (change.code.map { [$0] } ?? []))
  }

  @Test("Every check runs, whatever the others find")
  func all() throws {
    let checked = try CheckedAssertion(
      "saml20/assertion-alone.xml",
      [
        ("https://rp.example/saml", "urn:x"), (Self.bearer, "urn:x"),
        ("</saml:Conditions>", "<x:Odd xmlns:x=\"urn:x\"/></saml:Conditions>"),
      ], at: "2030-01-01T13:00:00Z")
    #expect(
      Set(checked.failures)
        == [.audienceMismatch, .expired, .confirmationMethod, .unknownCondition])
  }

  @Test("Any audience passes where the trust allows it, and none where it names none of ours")
  func audiences() throws {
    let any = try CheckedAssertion("saml20/assertion-alone.xml", audiences: .any)
    #expect(any.failures.isEmpty && any.outcome(of: .audience) == .skipped)
    let none = try CheckedAssertion("saml20/assertion-alone.xml", audiences: .oneOf([]))
    #expect(none.failures == [.audienceNotConfigured])
  }
}
