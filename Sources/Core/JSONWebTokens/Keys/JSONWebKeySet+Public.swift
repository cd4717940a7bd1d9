package import TokenBasics

extension JSONWebKeySet {
  /// The keys of a set that verify signatures, each as a JSON object with its public members alone. Secrets are left out.
  ///
  /// - Throws: As ``init(parsing:allowsSecrets:)``.
  package static func publicKeys(in octets: [UInt8]) throws(TokenError) -> [[UInt8]] {
    // Refuses a set of which nothing is left.
    _ = try JSONWebKeySet(parsing: octets)
    return try entries(octets).compactMap { entry in
      guard (try? JSONWebKey(entry.json, allowsSecrets: false))?.key != nil else { return nil }
      var json = JSONWriter()
      json.object { json in
        for name in publicMembers {
          if let text = entry.json[name]?.string { json.member(named: name, text) }
        }
      }
      return json.bytes
    }
  }

  /// RFC 7517, 4; RFC 7518, 6.2.1 and 6.3.1; RFC 8037, 2; `pub` of ML-DSA.
  private static let publicMembers = [
    "kty", "use", "alg", "kid", "crv", "x", "y", "n", "e", "pub",
  ]
}
