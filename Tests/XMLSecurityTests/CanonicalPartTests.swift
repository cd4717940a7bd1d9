import SecurityKeys
import Testing
import XMLTree

@Suite("Canonical forms in parts")
struct CanonicalPartTests {
  /// Documents whose canonical form has several parts: many short elements, one long run that is canonical already,
  /// one that is not, and long texts.
  private static let documents = [
    "<a xmlns='urn:a'>" + String(repeating: "<b c = 'd'>text &amp; text</b>", count: 4000) + "</a>",
    "<a xmlns=\"urn:a\"><b>" + String(repeating: "<c>text</c>", count: 9000) + "</b><d/></a>",
    "<a><b><c/>" + String(repeating: "<c>text</c>", count: 9000) + "</b></a>",
    "<a>" + String(repeating: "x", count: 100_000) + "<b>"
      + String(repeating: "é&lt;", count: 30_000) + "</b></a>",
    "<a/>",
  ]

  @Test("The parts are the whole, and their digest is its digest", arguments: documents.indices)
  func parts(number: Int) throws {
    let document = try Document(parsing: Array(Self.documents[number].utf8))
    for algorithm in [CanonicalizationMethod(.exclusive), CanonicalizationMethod(.inclusive10)] {
      let whole = Canonicalizer.octets(document.root.subtree, algorithm)
      var scratch = Canonicalizer.scratch(for: document)
      for _ in 0..<2 {
        var parts: [UInt8] = []
        var digest = RunningDigest(.sha256)
        Canonicalizer.read(document.root.subtree, algorithm, &scratch) { part in
          for index in part.indices { parts.append(part[index]) }
          digest.add(part)
        }
        #expect(parts == whole)
        #expect(digest.count == whole.count)
        #expect(digest.finish()?.bytes == DigestAlgorithm.sha256.digest(of: whole))
      }
    }
  }
}
