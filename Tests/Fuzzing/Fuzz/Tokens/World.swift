import Federation
import TestSupport

/// The trust, clock and expectations of a target: the union of those of its seeds.
struct World: Sendable {
  let trust: Trust
  let now: Instant
  let expectations: Expectations

  /// - Parameter vectors: The vectors whose keys, issuers and audiences are used.
  static func of(_ vectors: [TestVector], at now: String, _ expectations: Expectations) -> World {
    do {
      var issuers: [TrustedIssuer] = []
      var decryptionKeys: [DecryptionKey] = []
      var known: Set<String> = []
      // Without trait PostQuantum, as here, there are no keys of ML-DSA.
      for vector in vectors where !vector.keys.contains(where: { $0.contains("mldsa") }) {
        let id = "\(vector.keys) \(vector.issuers) \(vector.allowed) \(vector.decryptKeys)"
        guard known.insert(id).inserted else { continue }
        let trust = try vector.trust()
        if !vector.issuers.isEmpty, known.insert("\(vector.keys) \(vector.issuers)").inserted {
          // The code for legacy algorithms is tested too.
          issuers += trust.issuers.map { issuer in
            var issuer = issuer
            for index in issuer.keys.indices {
              issuer.keys[index].exceptions = Set(LegacyException.all)
            }
            return issuer
          }
        }
        for path in vector.decryptKeys where known.insert(path).inserted {
          decryptionKeys += try KeySpecification.decryptionKeys(path, files: VectorFiles())
        }
      }
      var trust = Trust(
        issuers: issuers, audiences: .oneOf(Set(vectors.flatMap(\.audiences)).sorted()),
        decryptionKeys: decryptionKeys)
      try trust.setSkew(60)
      return World(
        trust: trust, now: try Instant(dateTime: now), expectations: expectations)
    } catch {
      fail("the vectors make no world: \(error)")
    }
  }
}
