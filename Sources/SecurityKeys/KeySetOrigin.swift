/// What a key set says about one of its keys, beyond what the key itself is.
package struct KeySetOrigin: Sendable {
  /// The one algorithm that the set reserves the key for (`alg` of a JWK).
  package var reserved: SignatureAlgorithm?
  /// The algorithms that another key of the set with the same identifier verifies too.
  package var contested: [SignatureAlgorithm] = []

  package init(reserved: SignatureAlgorithm? = nil) { self.reserved = reserved }
}
