import Foundation
import TokenBasics
import XMLOracle
import XMLTree

/// Random documents and mutations of them, canonicalized by us and by libxml2.
enum CanonicalDifferential {
  static func run(_ arguments: [String]) {
    guard arguments.count == 2, let count = UInt64(arguments[0]), let start = UInt64(arguments[1])
    else { fail("usage: Fuzz c14n-differential COUNT SEED") }
    var comparison = CanonicalComparison()
    var documents = 0
    var mutated = 0
    var refused: [String: Int] = [:]
    var differences = 0
    var seed = start
    while documents < Int(count) {
      seed += 1
      var random = SplitMix64(seed: ~seed)
      var octets = Array(RandomDocument.text(seed: seed).utf8)
      let isMutated = random.chance(50)
      if isMutated {
        for _ in 0..<1 + random.below(3) { octets = XMLMutator.mutate(octets, &random) }
      }
      do throws(TokenError) {
        let document = try Document(parsing: octets)
        documents += 1
        if isMutated { mutated += 1 }
        for difference in comparison.compare(octets, document, &random) {
          differences += 1
          print("seed \(seed): \(difference)")
        }
      } catch {
        refused[error.code.rawValue, default: 0] += 1
      }
      if differences > 20 { break }
    }
    print(
      """
      \(documents) documents, \(mutated) of them mutated, seeds \(start + 1) to \(seed)
      \(comparison.forms) canonical forms, \(comparison.deviations) where libxml2 is known to be wrong
      mutated documents that are refused before: \(refused.sorted { $0.key < $1.key })
      differences: \(differences)
      """)
    exit(differences == 0 ? 0 : 1)
  }
}
