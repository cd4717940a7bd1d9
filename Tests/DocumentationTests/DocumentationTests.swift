import Federation
import Foundation
import TestSupport
import Testing

/// With `UPDATE_DOCUMENTATION=1` in the environment the generated parts are written anew.
@Suite("The documentation says what the code does")
struct DocumentationTests {
  static let updates = ProcessInfo.processInfo.environment["UPDATE_DOCUMENTATION"] == "1"

  @Test("docs/errors.md has a section for each code, as the code words it")
  func errors() throws {
    if Self.updates {
      try Documentation.errorPages.write(
        to: Documentation.errors, atomically: true, encoding: .utf8)
    }
    #expect(try Documentation.text(Documentation.errors) == Documentation.errorPages)
  }

  @Test("The README's secure defaults are those of the code")
  func defaults() throws {
    try Self.checkTable(Documentation.defaultsTable, "defaults", in: Documentation.readme)
  }

  @Test("The threat model's limits are those of the code")
  func limits() throws {
    try Self.checkTable(LimitsTable.text, "limits", in: Documentation.threatModel)
  }

  private static func checkTable(_ table: String, _ mark: String, in file: URL) throws {
    let page = try Documentation.text(file)
    let open = try #require(page.range(of: "<!-- \(mark) -->\n"))
    let close = try #require(page.range(of: "<!-- /\(mark) -->"))
    let table = "\n" + table + "\n"
    if updates {
      try page.replacingCharacters(in: open.upperBound..<close.lowerBound, with: table)
        .write(to: file, atomically: true, encoding: .utf8)
      return
    }
    #expect(String(page[open.upperBound..<close.lowerBound]) == table)
  }

  @Test("The README's library example is the one that compiles here")
  func example() throws {
    let file = TestVector.packageRoot.appending(
      path: "Tests/DocumentationTests/ReadmeExample.swift")
    let example = try Documentation.text(file).trimmingCharacters(in: .newlines)
    #expect(try Documentation.text(Documentation.readme).contains(example))
  }

  @Test("The README's library example works")
  func exampleRuns() throws {
    let claims = try claims(
      ofResponse: TestVector.bytes("saml20/response-assertion-signed.xml"),
      certificate: TestVector.bytes("keys/idp-rsa.crt"),
      now: Instant(dateTime: "2030-01-01T12:00:00Z"))
    #expect(claims["role"] == ["user"])
  }

  @Test("Codes are unique, dotted, and of a known family")
  func codes() {
    let codes = TokenError.Code.allCodes
    #expect(Set(codes.map(\.rawValue)).count == codes.count)
    #expect(Set(codes.map(\.summary)).count == codes.count)
    let families: Set = [
      "input", "xml", "signature", "key", "algorithm", "encryption", "issuer", "audience", "time",
      "subject", "response", "replay", "policy", "transport", "client", "session", "feed",
      "registry",
    ]
    for code in codes {
      #expect(families.contains(code.family))
      #expect(code.rawValue.contains(/^[a-z]+\.[a-z0-9-]+$/))
      #expect(TokenError.Code(rawValue: code.rawValue) == code)
    }
    #expect(TokenError.Code(rawValue: "no.such") == nil)
  }
}
