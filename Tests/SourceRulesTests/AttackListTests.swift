import Foundation
import TestSupport
import Testing

/// The list of all entries of the attack catalogue, against the vectors and the tests that are there.
@Suite("Every known attack has a test")
struct AttackListTests {
  struct Entry: Decodable, Sendable {
    let id: String
    let title: String
    /// Entries whose vectors and tests cover this one too.
    let with: [String]?
    /// What has to be built before it can be tested.
    let waits: String?
    /// Where we decide otherwise than the catalogue, and why.
    let otherwise: String?
  }

  static let entries: [Entry] =
    (try? JSONDecoder().decode([Entry].self, from: Data(TestVector.bytes("attacks/ids.json"))))
    ?? []

  /// Entries that a vector names.
  static let inVectors: Set<String> = Set(
    (TestVector.all + TestVector.attacks).flatMap(\.attacks))

  /// Entries that a test's title names.
  static let inTests: Set<String> = {
    let root = TestVector.packageRoot.appending(path: "Tests")
    let paths = FileManager.default.enumerator(atPath: root.path())?.allObjects as? [String] ?? []
    var found: Set<String> = []
    for path in paths where path.hasSuffix(".swift") {
      let text = (try? String(contentsOf: root.appending(path: path), encoding: .utf8)) ?? ""
      for test in text.matches(of: #/@Test\(\s*"([^"]*)"/#) {
        for id in test.1.matches(of: #/\b[A-Z][A-Z0-9]*-[0-9]+\b/#) { found.insert(String(id.0)) }
      }
    }
    return found
  }()

  static func isTested(_ id: String) -> Bool { inVectors.contains(id) || inTests.contains(id) }

  @Test("The list is complete: 459 attacks and 53 look-alikes, numbered without a gap")
  func complete() {
    let counts = [
      "XSW": 36, "REF": 24, "DSIG": 32, "C14N": 14, "CMT": 14, "XML": 32, "DOS": 27, "KEY": 19,
      "CRY": 14, "SEM": 23, "TIME": 17, "BIND": 17, "ENC": 21, "S11": 10, "WSF": 15, "SWT": 30,
      "JWT": 34, "META": 19, "RP": 23, "SW": 21, "ISS": 6, "TRUST": 5,
      "CONT": 6, "OK": 53,
    ]
    let wanted = counts.flatMap { family, count in (1...count).map { "\(family)-\($0)" } }
    #expect(wanted.count == 459 + 53)
    #expect(Set(Self.entries.map(\.id)) == Set(wanted))
    #expect(Self.entries.count == wanted.count)
    #expect(Self.entries.allSatisfy { !$0.title.isEmpty })
  }

  @Test("Every entry is tested, or names what it waits for")
  func tested() {
    let waiting = Set(Self.entries.filter { $0.waits != nil }.map(\.id))
    for entry in Self.entries where entry.waits == nil {
      let others = entry.with ?? []
      let isCovered =
        Self.isTested(entry.id)
        || (!others.isEmpty && others.allSatisfy { Self.isTested($0) && !waiting.contains($0) })
      #expect(isCovered, "\(entry.id) (\(entry.title)) has neither a vector nor a test")
    }
  }

  @Test("No vector names an entry that is not on the list")
  func known() {
    let ids = Set(Self.entries.map(\.id))
    #expect(Self.inVectors.subtracting(ids) == [])
  }
}
