import Foundation
import TestCatalogue
import TestSupport
import Testing
import TokenBasics

@Suite("Hints")
struct HintTests {
  /// What hints may name of other programs, and of those of our commands that an operator runs.
  private static let others = [
    "curl --compressed", "claims --version", "acs keys FILE --password", "--open names",
  ]

  @Test("A hint of the library speaks of its own parameters, and names no option of a command")
  func parameters() {
    for code in ErrorCatalogue.codes {
      let own = Self.others.reduce(code.hint) { $0.replacing($1, with: "") }
      #expect(!own.contains("--"), "\(code.rawValue): \(code.hint)")
    }
  }

  @Test("The claims command adds options that it has, behind words that hints have")
  func options() throws {
    let commands = CodeTests.sources(below: "Sources/Commands/ClaimsCommand")
    let table = try #require(commands.first { $0.path.hasSuffix("HintOptions.swift") }).text
    let pairs = table.matches(of: #/\("([^"]+)", "--([a-z-]+)"\)/#)
    #expect(pairs.count > 10)
    let manual = try Documentation.text(TestVector.packageRoot.appending(path: "docs/claims.1"))
      .replacing("\\-", with: "-")
    let hints =
      CodeTests.sources(below: "Sources/Core").map(\.text) + ErrorCatalogue.codes.map(\.hint)
    for pair in pairs {
      #expect(hints.contains { $0.contains(pair.1) }, "\(pair.1)")
      #expect(manual.contains("\\fB--\(pair.2)"), "\(pair.2)")
    }
  }
}
