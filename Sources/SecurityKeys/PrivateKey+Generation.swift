import COpenSSL
package import TokenErrors

extension PrivateKey {
  /// What kind of key to make.
  package enum NewKind: Sendable {
    /// RSA with a modulus of 2048 bits and e = 65537.
    case rsa2048
    /// EC on P-256.
    case ec256
  }

  /// A new key from the system's generator, for measurements and tests: it is never written anywhere.
  ///
  /// - Throws: `key.unreadable` when OpenSSL makes none.
  package init(generating kind: NewKind) throws(TokenError) {
    defer { ErrorQueue.clear() }
    let pointer: OpaquePointer? =
      switch kind {
      case .rsa2048: unsafe cossl_rsa_generate(2048)
      case .ec256: unsafe cossl_ec_generate("P-256")
      }
    guard let storage = unsafe Storage(takingOwnershipOf: pointer) else {
      throw TokenError(.unreadableKey, expected: "a new key")
    }
    try self.init(storage)
  }
}
