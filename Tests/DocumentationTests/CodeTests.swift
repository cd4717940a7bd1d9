import Foundation
import TestCatalogue
import TestSupport
import Testing
import TokenBasics

/// One code, one cause, one section, one test.
@Suite("Every error code is declared once, thrown, documented and tested")
struct CodeTests {
  /// What the sources declare: the Swift name and the dotted one.
  static let declared: [(name: String, code: String)] = {
    sources(below: "Sources").filter { $0.path.contains("/Codes+") }.flatMap { source in
      source.text.matches(of: /public static let (\w+) = Self\(\s*"([^"]+)"/).map {
        (String($0.1), String($0.2))
      }
    }
  }()

  /// Codes that no test produces, and why not.
  static let untested = [
    "policy.unsigned-content": "cannot happen while the reader is right; it fails closed if not",
    "policy.mint-signature": "OpenSSL would have to refuse a sound key",
    "policy.mint-encryption": "OpenSSL would have to refuse a sound certificate",
    "policy.metadata-stream-size": "takes a file of gigabytes",
  ]

  struct Source {
    let path: String
    let text: String
  }

  static func sources(below folder: String, suffix: String = ".swift") -> [Source] {
    let root = TestVector.packageRoot.appending(path: folder)
    let paths = FileManager.default.enumerator(atPath: root.path())?.allObjects as? [String] ?? []
    return paths.filter { $0.hasSuffix(suffix) }.sorted().map { path in
      let text = (try? String(contentsOf: root.appending(path: path), encoding: .utf8)) ?? ""
      return Source(path: folder + "/" + path, text: text)
    }
  }

  @Test("Every declared code is in the list of all codes, and only once")
  func listed() {
    #expect(Self.declared.count > 150)
    #expect(Set(Self.declared.map(\.code)).count == Self.declared.count)
    #expect(Set(Self.declared.map(\.name)).count == Self.declared.count)
    #expect(Self.declared.map(\.code).sorted() == ErrorCatalogue.codes.map(\.rawValue).sorted())
  }

  @Test("docs/errors.md has one section for each code and none for anything else")
  func sections() throws {
    let page = try Documentation.text(Documentation.errors)
    let sections = page.components(separatedBy: "\n### ").dropFirst()
    let titles = sections.map { String($0.prefix { $0 != "\n" }) }
    #expect(titles.sorted() == ErrorCatalogue.codes.map(\.rawValue).sorted())
    for (title, section) in zip(titles, sections) {
      let parts = section.components(separatedBy: "\n\n").dropFirst()
      #expect((parts.first ?? "").count > 15, "\(title): what it means")
      let label = "*What to do:* "
      let part = parts.first { $0.hasPrefix(label) }
      #expect((part ?? "").count > label.count + 5, "\(title): \(label)")
    }
    for family in page.components(separatedBy: "\n## ").dropFirst() {
      #expect(family.contains(/^[a-z]+\n\n\*How to see more:\* .{5}/), "\(family.prefix(20))")
    }
  }

  @Test("No two codes mean the same")
  func meanings() {
    let codes = ErrorCatalogue.codes
    #expect(Set(codes.map(\.summary)).count == codes.count)
    for code in codes {
      #expect(!code.summary.hasSuffix("."), "\(code)")
      #expect(!code.hint.isEmpty && !code.hint.hasSuffix("."), "\(code)")
    }
  }

  @Test(
    "No text was broken where its lines were wrapped: no option with a blank in it, no run of blanks"
  )
  func wrapped() {
    for code in ErrorCatalogue.codes {
      for text in [code.summary, code.hint] {
        #expect(!text.contains("  "), "\(text)")
        #expect(text.firstMatch(of: #/--[a-z-]*- |--[a-z-]+ [a-z0-9-]+- /#) == nil, "\(text)")
      }
    }
  }

  @Test("Every code is thrown somewhere")
  func thrown() {
    let text = Self.sources(below: "Sources").filter { !$0.path.contains("/Codes+") }
      .map(\.text).joined(separator: "\n")
    let words = Self.members(of: text)
    for (name, code) in Self.declared { #expect(words.contains(name), "\(code)") }
  }

  @Test("Every code is produced by a vector or expected by a test")
  func tested() {
    var produced: Set<String> = []
    for manifest in Self.sources(below: "TestVectors", suffix: ".jsonl") {
      for line in manifest.text.split(separator: "\n") {
        let json = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        if let code = json?["code"] as? String { produced.insert(code) }
      }
    }
    #expect(produced.count > 100)
    let tests = Self.sources(below: "Tests").filter { !$0.path.contains("DocumentationTests/") }
      .map(\.text).joined(separator: "\n")
    let words = Self.members(of: tests)
    for (name, code) in Self.declared {
      let isTested =
        produced.contains(code) || words.contains(name) || tests.contains("\"\(code)\"")
      if Self.untested[code] != nil {
        #expect(!isTested, "\(code) has a test now; take it off the list")
      } else {
        #expect(isTested, "no test produces \(code)")
      }
    }
  }

  /// The words after a dot.
  static func members(of text: String) -> Set<String> {
    Set(text.matches(of: /\.(\w+)/).map { String($0.1) })
  }
}
