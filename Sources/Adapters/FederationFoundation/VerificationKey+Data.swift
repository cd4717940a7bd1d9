public import Federation

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension VerificationKey {
  /// A certificate or public key in PEM or DER, and nothing beside it.
  ///
  /// - Throws: `key.unreadable`, `key.several`, `key.unsupported`, `key.weak`.
  public init(pemOrDER data: Data) throws(TokenError) { try self.init(pemOrDER: Array(data)) }
}

extension JSONWebKeySet {
  /// The keys of a JWK set (RFC 7517, 5), or a single key.
  ///
  /// - Throws: as ``init(parsing:allowsSecrets:)`` of octets.
  public init(parsing data: Data, allowsSecrets: Bool = false) throws(TokenError) {
    try self.init(parsing: Array(data), allowsSecrets: allowsSecrets)
  }
}
