import Claims
import Foundation
import SAML
import Testing
import TokenBasics

@Suite("The times of a SAML assertion and of its response")
struct TimeCheckTests {
  private static let vector = "saml20/response-assertion-signed.xml"

  static let changes: [AssertionChange] = [
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
  ]

  @Test("A change breaks the one check that it concerns", arguments: changes)
  func verdict(change: AssertionChange) throws { try change.expect() }

  @Test("A response in the future is refused, with an assertion that is not")
  func issueInstant() throws {
    let written = "ID=\"_r\" Version=\"2.0\" IssueInstant=\"2030-01-01T12:00:00Z\""
    func failures(_ time: String) throws -> [TokenError.Code] {
      let change = (written, written.replacingOccurrences(of: "12:00:00", with: time))
      return try CheckedAssertion(Self.vector, [change]).failures
    }
    #expect(try failures("12:01:01") == [.issuedInFuture])
    #expect(try failures("12:01:00") == [])
  }
}
