public import SecurityKeys
public import TokenErrors

/// A certificate of a `KeyDescriptor` (SAML Metadata 2.4.1.1), decoded on access.
public struct EntityKey: Sendable {
  /// What the key is for.
  public enum Use: String, Hashable, Sendable {
    /// The entity signs with the key.
    case signing
    /// Others encrypt for the entity with the key.
    case encryption
    /// No `use` was named: the key is for both.
    case both
  }

  /// What the key is for.
  public let use: Use
  /// Nil when the KeyInfo has none.
  private let certificate: EntityCertificate?

  package init(use: Use, _ certificate: EntityCertificate?) {
    self.use = use
    self.certificate = certificate
  }

  /// The key.
  ///
  /// - Throws: `key.unreadable` also for a KeyInfo without a certificate, `key.unsupported`,
  ///   `key.weak`.
  public func key() throws(TokenError) -> VerificationKey {
    guard let certificate else {
      throw TokenError(.unreadableKey, expected: "an X509Certificate", found: "none")
    }
    return try certificate.key()
  }
}
