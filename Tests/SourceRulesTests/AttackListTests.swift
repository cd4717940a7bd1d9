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

  /// The files of tests whose titles name an entry.
  static let files: [String: Set<String>] = {
    let root = TestVector.packageRoot.appending(path: "Tests")
    let paths = FileManager.default.enumerator(atPath: root.path())?.allObjects as? [String] ?? []
    var found: [String: Set<String>] = [:]
    for path in paths where path.hasSuffix(".swift") {
      let text = (try? String(contentsOf: root.appending(path: path), encoding: .utf8)) ?? ""
      for test in text.matches(of: #/@(?:Test|Suite)\(\s*"([^"]*)"/#) {
        for id in test.1.matches(of: #/\b[A-Z][A-Z0-9]*-[0-9]+\b/#) {
          found[String(id.0), default: []].insert(path)
        }
      }
    }
    return found
  }()

  static func isTested(_ id: String) -> Bool { inVectors.contains(id) || files[id] != nil }

  @Test("The list is complete: 505 attacks and 53 look-alikes, numbered without a gap")
  func complete() {
    let counts = [
      "XSW": 36, "REF": 24, "DSIG": 32, "C14N": 14, "CMT": 14, "XML": 32, "DOS": 27, "KEY": 19,
      "CRY": 14, "SEM": 23, "TIME": 17, "BIND": 17, "ENC": 21, "S11": 10, "WSF": 15, "SWT": 30,
      "JWT": 34, "META": 19, "RP": 23, "SW": 21, "ISS": 6, "TRUST": 5,
      "CONT": 6, "CTX": 5, "SVC": 12, "GATE": 29, "OK": 53,
    ]
    let wanted = counts.flatMap { family, count in (1...count).map { "\(family)-\($0)" } }
    #expect(wanted.count == 505 + 53)
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

  static let page = TestVector.packageRoot.appending(path: "docs/attacks.md")

  /// The page that says what each code means, and where it is tested.
  static var table: String {
    let names = [
      "XSW": "signatures wrapped", "REF": "references", "DSIG": "inside the signature",
      "C14N": "canonical forms",
      "CMT": "text and comments", "XML": "documents", "DOS": "cost", "KEY": "whose key it is",
      "CRY": "primitives",
      "SEM": "what SAML means", "TIME": "times", "BIND": "bindings", "ENC": "encryption",
      "S11": "SAML 1.1",
      "WSF": "WS-Trust and WS-Federation", "SWT": "Simple Web Tokens", "JWT": "JSON Web Tokens",
      "META": "metadata", "RP": "relying parties and clients",
      "SW": "Swift, Foundation and libxml2",
      "ISS": "messages that we write", "TRUST": "how trust is put together",
      "CONT": "around what is signed",
      "CTX": "context that nothing signs", "SVC": "services around the verifier",
      "GATE": "forward authentication",
      "OK": "look-alikes that are accepted",
    ]
    var text = """
      # Attacks

      The codes that names of tests and comments use, such as GATE-23, and where each is tested. A number of vectors counts
      files of `TestVectors` that are made for the attack. This page is generated from `TestVectors/attacks/ids.json` and from
      the names of the tests: `UPDATE_DOCUMENTATION=1 swift test --enable-all-traits --filter AttackListTests`.

      """
    var family = ""
    for entry in entries {
      let own = String(entry.id.prefix { $0 != "-" })
      if own != family {
        family = own
        text +=
          "\n## \(family): \(names[family] ?? "")\n\n| code | attack | tested by |\n| --- | --- | --- |\n"
      }
      text += "| \(entry.id) | \(entry.title) | \(proofs(of: entry)) |\n"
    }
    return text
  }

  private static func proofs(of entry: Entry) -> String {
    let vectors = (TestVector.all + TestVector.attacks).count { $0.attacks.contains(entry.id) }
    let tests = (files[entry.id] ?? []).sorted().map { "`\($0)`" }
    var proofs = (vectors == 0 ? [] : ["\(vectors) vectors"]) + tests
    if proofs.isEmpty, let others = entry.with {
      proofs = ["with " + others.joined(separator: ", ")]
    }
    if let waits = entry.waits { proofs.append("waits for " + waits) }
    if let otherwise = entry.otherwise { proofs.append(otherwise) }
    return proofs.joined(separator: "; ")
  }

  @Test("docs/attacks.md explains each entry and says where it is tested")
  func document() throws {
    if ProcessInfo.processInfo.environment["UPDATE_DOCUMENTATION"] == "1" {
      try Self.table.write(to: Self.page, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: Self.page, encoding: .utf8) == Self.table)
  }

  @Test("No vector names an entry that is not on the list")
  func known() {
    let ids = Set(Self.entries.map(\.id))
    #expect(Self.inVectors.subtracting(ids) == [])
  }
}
