import Federation
import Foundation
import TestSupport
import Testing

@testable import ArticleExamples

@Suite("The article on validating tokens in a pipeline")
struct ValidateTokensTests {
  @Test("Each token has a verdict, in order; a bad one stops nothing")
  func batch() throws {
    let tokens = [
      "saml20/response-assertion-signed.xml", "saml20/tampered-role.xml", "saml11/rstr.xml",
      "saml20/expired.xml",
    ].map(TestVector.bytes)
    let found = try verdicts(
      on: tokens + [[]], trustFile: TestVector.folder.appending(path: "trust.json"),
      at: Instant(dateTime: "2030-01-01T12:00:00Z"))
    #expect(
      found == [
        "alice@idp.example []", "signature.digest-mismatch", "alice@idp.example [\"user\"]",
        "time.expired", "input.empty",
      ])
  }

  @Test("A trust file that is not there is an error of the whole batch")
  func trustFile() {
    #expect(throws: (any Error).self) {
      try verdicts(
        on: [], trustFile: TestVector.folder.appending(path: "none.json"),
        at: Instant(secondsSinceEpoch: 0))
    }
  }
}
