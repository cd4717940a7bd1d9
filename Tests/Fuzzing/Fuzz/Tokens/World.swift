import Federation
import TestSupport

/// Whom a target trusts, when, and what it expects: the circumstances of all its seeds together.
struct World: Sendable {
  let trust: Trust
  let now: Instant
  let expectations: Expectations

  /// - Parameter vectors: Whose keys, issuers and audiences are taken.
  static func of(_ vectors: [TestVector], at now: String, _ expectations: Expectations) -> World {
    do {
      var issuers: [TrustedIssuer] = []
      var decryptionKeys: [PrivateKey] = []
      var known: Set<String> = []
      for vector in vectors {
        let id = "\(vector.keys) \(vector.issuers) \(vector.allowed) \(vector.decryptKeys)"
        guard known.insert(id).inserted else { continue }
        let trust = try vector.trust()
        if !vector.issuers.isEmpty, known.insert("\(vector.keys) \(vector.issuers)").inserted {
          // Old algorithms have code that is worth a look too.
          issuers += trust.issuers.map { issuer in
            var issuer = issuer
            for index in issuer.keys.indices {
              issuer.keys[index].exceptions = Set(LegacyException.all)
            }
            return issuer
          }
        }
        for (path, key) in zip(vector.decryptKeys, trust.decryptionKeys)
        where known.insert(path).inserted {
          decryptionKeys.append(key)
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
