import TestSupport
import Testing
import XMLOracle
import XMLTree

/// What is digested comes from the source where that is canonical, what is read from the tree.
@Suite("Canonical octets of source and tree")
struct SourceComparisonTests {
  @Test("Every vector's source gives the canonical octets that its tree gives")
  func vectors() throws {
    let vectors = TestVector.of("saml20", "saml11", "rstr", "xmldsig", "c14n", "metadata")
    var count = 0
    for vector in vectors where vector.octets.count < 200_000 {
      guard let document = try? Document(parsing: vector.octets) else { continue }
      count += 1
      #expect(SourceComparison.difference(document, most: 12) == nil, "\(vector.id)")
    }
    #expect(count > 300)
  }

  @Test("So do random documents")
  func random() throws {
    for seed in UInt64(1)...400 {
      let octets = Array(RandomDocument.text(seed: seed).utf8)
      let document = try Document(parsing: octets)
      #expect(SourceComparison.difference(document) == nil, "seed \(seed)")
    }
  }
}
