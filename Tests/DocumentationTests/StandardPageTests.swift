import Foundation
import TestSupport
import Testing

@Suite("docs/acs-standards.md: what standards demand, and the test of each demand")
struct StandardPageTests {
  private static let page = TestVector.packageRoot.appending(path: "docs/acs-standards.md")

  /// The rows of the tables of demands: their third cell names tests in quotation marks.
  private static func rows() throws -> [[String]] {
    try String(contentsOf: page, encoding: .utf8).split(separator: "\n").compactMap { line in
      let cells = line.split(separator: " | ").map(String.init)
      guard line.hasPrefix("| "), cells.count == 3, cells[2].hasPrefix("\"") else { return nil }
      return cells
    }
  }

  /// The source of the tests of `acs` and of the sign-ins above it.
  private static func sources() throws -> String {
    var text = ""
    for folder in ["AccessControlTests", "SignInTests"] {
      let path = TestVector.packageRoot.appending(path: "Tests/" + folder)
      let files = FileManager.default.enumerator(at: path, includingPropertiesForKeys: nil)
      for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
        text += try String(contentsOf: file, encoding: .utf8)
      }
    }
    return text
  }

  @Test("Each named test exists under its title, and each demand names one")
  func titles() throws {
    let sources = try Self.sources()
    let rows = try Self.rows()
    #expect(rows.count > 70)
    for row in rows {
      let titles = row[2].split(separator: "\"").map(String.init)
        .filter { ![";", "|"].contains($0.trimmingCharacters(in: .whitespaces)) }
      #expect(!titles.isEmpty, "\(row[0]) \(row[1])")
      for title in titles where !title.trimmingCharacters(in: .whitespaces).isEmpty {
        #expect(sources.contains("\"\(title)\""), "\(row[0]): \(title)")
      }
    }
  }
}
