import Testing
import XMLOracle
import XMLTree

/// What is digested comes from the source where that is canonical, what is read from the tree.
@Suite("Canonical octets of source and tree")
struct SourceComparisonTests {
  @Test("Random documents have the canonical octets that their trees have")
  func random() throws {
    for seed in UInt64(1)...400 {
      let octets = Array(RandomDocument.text(seed: seed).utf8)
      let document = try Document(parsing: octets)
      #expect(SourceComparison.difference(document) == nil, "seed \(seed)")
    }
  }
}
