import Foundation
import Testing
import XMLTree

@Suite("The corpus of canonical forms")
struct CanonicalFormCorpusTests {
  @Test("Documents of libxml2's own tests that need neither XPath nor a DTD")
  func corpus() throws {
    let path = folder.appending(path: "MANIFEST.jsonl")
    guard let manifest = try? String(contentsOf: path, encoding: .utf8) else {
      return print("The corpus is not at \(folder.path); its canonical forms are not compared.")
    }
    let cases = try manifest.split(separator: "\n").map {
      try JSONDecoder().decode(Case.self, from: Data($0.utf8))
    }
    let usable = cases.filter(\.isUsable)
    #expect(usable.count == 6)
    for example in usable {
      let output = try #require(example.companions?.first { $0.role == "expected-output" })
      let uri = try #require(example.algorithms?.c14n?.first)
      let method = try #require(CanonicalizationMethod(uri: uri))
      let document = try Document(parsing: unicode(bytes(example.file)))
      let expected = try bytes(output.file)
      #expect(Canonicalizer.octets(document.subtree, method) == expected, "\(example.id)")
    }
  }

  private let folder = URL(filePath: #filePath).appending(path: "../../../../../shared/corpora")
    .standardizedFileURL

  /// The parser takes nothing but UTF-8, and the canonical form does not tell what a document was in.
  private func unicode(_ bytes: [UInt8]) -> [UInt8] {
    let declared = "encoding=\"ISO-8859-1\""
    let text = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    return text.contains(declared) ? Array(text.replacing(declared, with: "").utf8) : bytes
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    try Array(Data(contentsOf: folder.appending(path: path)))
  }

  private struct Case: Decodable {
    struct Companion: Decodable {
      var file: String
      var role: String
    }
    struct Algorithms: Decodable {
      var c14n: [String]?
    }
    var id: String
    var kind: String
    var file: String
    var companions: [Companion]?
    var algorithms: Algorithms?
    var flags: [String]?

    var isUsable: Bool {
      kind == "c14n" && !(flags ?? []).contains { $0 == "xpath" || $0 == "dtd" }
        && !(companions ?? []).contains { $0.role == "xpath-node-set" }
    }
  }
}
