import Foundation
import Testing
import XMLOracle
import XMLTree

/// Random documents, canonicalized by us and by libxml2.
///
/// `C14N_DOCUMENTS` says how many, `C14N_SEED` where to start; a report names the seed that makes its
/// document the first one.
@Suite("Canonical forms against libxml2")
struct CanonicalizerOracleTests {
  @Test("Random documents and subtrees have libxml2's canonical octets")
  func agreesWithLibXML2() throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["C14N_DOCUMENTS"].flatMap(Int.init) ?? 1_500
    let start = environment["C14N_SEED"].flatMap(UInt64.init) ?? 1
    var comparison = CanonicalComparison()
    var mismatches = 0
    for seed in start..<start + UInt64(count) where mismatches < 5 {
      let octets = Array(RandomDocument.text(seed: seed).utf8)
      do {
        var random = SplitMix64(seed: ~seed)
        let document = try Document(parsing: octets)
        for difference in comparison.compare(octets, document, &random) {
          mismatches += 1
          Issue.record("seed \(seed), \(difference)")
        }
      } catch {
        mismatches += 1
        Issue.record(
          "seed \(seed) does not parse: \(error)\n\(String(decoding: octets, as: UTF8.self))")
      }
    }
    #expect(mismatches == 0)
    #expect(comparison.forms > 10 * count)
    if environment["C14N_DOCUMENTS"] != nil {
      print("\(count) documents, \(comparison.forms) canonical forms compared")
    }
  }
}
