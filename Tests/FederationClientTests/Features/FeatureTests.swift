import Foundation
import TestSupport
import Testing

/// With `UPDATE_DOCUMENTATION=1` in the environment the table is rewritten.
@Suite("Features of the client")
struct FeatureTests {
  static let page = TestVector.packageRoot.appending(path: "docs/client-features.md")

  static var table: String {
    var text = """
      # The client: features and their tests

      Each feature of the former programs, and its tests here. S0 and S1 are the
      documents about Mobile Services, S2 about oPRO, S3 about Access Control Service, S4 about Mobile
      Foundation. One feature is left out: oPRO's random user, which was a demonstration. This page is
      generated from the list in the tests.

      | From | Feature | Tests |
      |---|---|---|

      """
    for feature in Feature.all {
      text += "| \(feature.seeds) | \(feature.name) | "
      text += feature.tests.map { "“\($0)”" }.joined(separator: "<br>") + " |\n"
    }
    return text
  }

  @Test("Every test in the table exists")
  func tests() throws {
    let folder = TestVector.packageRoot.appending(path: "Tests")
    let paths = FileManager.default.enumerator(atPath: folder.path())?.allObjects as? [String] ?? []
    let sources = try paths.filter { $0.hasSuffix("Tests.swift") }
      .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
      .joined(separator: "\n")
    for name in Set(Feature.all.flatMap(\.tests)) {
      let name = name.replacing("\"", with: "\\\"")  // as the sources write it
      let isThere = sources.contains(
        try Regex("@Test\\(\\s*\"" + NSRegularExpression.escapedPattern(for: name) + "\""))
      #expect(isThere, "\(name)")
    }
    #expect(Feature.all.allSatisfy { !$0.tests.isEmpty })
  }

  @Test("docs/client-features.md is the table")
  func document() throws {
    if ProcessInfo.processInfo.environment["UPDATE_DOCUMENTATION"] == "1" {
      try Self.table.write(to: Self.page, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: Self.page, encoding: .utf8) == Self.table)
  }
}
