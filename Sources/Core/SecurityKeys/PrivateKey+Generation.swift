import COpenSSL
package import TokenBasics

extension PrivateKey {
  /// The kind of key to generate.
  package enum NewKind: Sendable {
    /// RSA with a modulus of 2048 bits and e = 65537.
    case rsa2048
    /// RSA with a modulus of that many bits and e = 65537, for a test key like another one.
    case rsa(bits: Int)
    /// EC on P-256.
    case ec256
    /// EC on P-384.
    case ec384
    /// EC on P-521.
    case ec521
    /// Ed25519 (RFC 8032).
    case ed25519
    /// Ed448 (RFC 8032).
    case ed448
    /// X25519 (RFC 7748).
    case x25519

    /// A key on the curve of `other`; nil when that is no key for an agreement.
    package init?(onCurveOf other: PublicKey) {
      switch other.kind {
      case .ec(coordinateBytes: 32): self = .ec256
      case .ec(coordinateBytes: 48): self = .ec384
      case .ec(coordinateBytes: 66): self = .ec521
      case .x25519: self = .x25519
      default: return nil
      }
    }
  }

  /// A new key from the system's generator, for one message, a measurement or a test; never stored.
  ///
  /// - Throws: `key.unreadable` when OpenSSL fails.
  package init(generating kind: NewKind) throws(TokenError) {
    defer { ErrorQueue.clear() }
    let pointer: OpaquePointer? =
      switch kind {
      case .rsa2048: unsafe cossl_rsa_generate(2048)
      case .rsa(let bits): unsafe cossl_rsa_generate(UInt32(clamping: bits))
      case .ec256: unsafe cossl_ec_generate("P-256")
      case .ec384: unsafe cossl_ec_generate("P-384")
      case .ec521: unsafe cossl_ec_generate("P-521")
      case .ed25519: unsafe cossl_ed25519_generate()
      case .ed448: unsafe cossl_ed448_generate()
      case .x25519: unsafe cossl_x25519_generate()
      }
    guard let storage = unsafe Storage(takingOwnershipOf: pointer) else {
      throw TokenError(.unreadableKey, expected: "a new key")
    }
    try self.init(storage)
  }
}
