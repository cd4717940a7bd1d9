import Federation
import Foundation
import TestSupport
import Testing

/// With `UPDATE_DOCUMENTATION=1` in the environment the page is written anew.
@Suite("The page of the rules of metadata lint")
struct LintDocumentationTests {
  private static let file = TestVector.packageRoot.appending(path: "docs/metadata-lint.md")

  private static var text: String {
    var text = """
      # Rules of metadata lint

      `claims metadata lint FILE` looks for what is wrong or risky in SAML and WS-Federation metadata. An `error` will not work, or
      must not be used, and gives exit code 1; a `warning` works and deserves a look; an `info` could be better. Numbers are never
      reused. `--format text` is for people, `json` one finding a line, `sarif` for tools that show findings beside the file.


      """
    for rule in LintRule.all {
      text += """
        ## \(rule.id)

        **\(rule.severity.rawValue)**: \(rule.message).

        \(rule.advice.prefix(1).uppercased() + rule.advice.dropFirst()).


        """
    }
    return String(text.dropLast())
  }

  @Test("docs/metadata-lint.md is generated from the rules, each with a section of its own")
  func current() throws {
    if DocumentationTests.updates {
      try Self.text.write(to: Self.file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: Self.file, encoding: .utf8) == Self.text)
    #expect(LintRule.all.count > 20)
  }
}
