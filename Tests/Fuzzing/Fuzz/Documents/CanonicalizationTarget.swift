import TestSupport
import TokenBasics
import XMLOracle
import XMLTree

/// Canonical forms of documents and subtrees, compared with libxml2's.
struct CanonicalizationTarget: FuzzTarget {
  var seeds: [(name: String, octets: [UInt8])] {
    TestVector.of("c14n").map { ($0.id, $0.octets) }
      + (0..<60).map { ("random-\($0)", Array(RandomDocument.text(seed: UInt64($0)).utf8)) }
      .filter { $0.1.count < 4_000 }
  }

  func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
    XMLMutator.mutate(octets, &random)
  }

  func cross(_ first: [UInt8], _ second: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
    XMLMutator.cross(first, second, &random)
  }

  func exercise(_ octets: [UInt8]) {
    guard let document = try? Document(parsing: octets) else { return }
    let seed = octets.reduce(UInt64(1_469_598_103_934_665_603)) {
      ($0 ^ UInt64($1)) &* 1_099_511_628_211
    }
    var random = SplitMix64(seed: seed)
    if let difference = SourceComparison.difference(document, most: 16) {
      fail("the source has other canonical octets than the tree\n\(difference)")
    }
    var comparison = CanonicalComparison()
    for difference in comparison.compare(octets, document, &random) {
      fail("libxml2 has another canonical form\n\(difference)")
    }
  }
}
