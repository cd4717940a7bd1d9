public import SecurityKeys

/// The keys by which JSON Web Tokens are signed with one algorithm other than RS256: a key has one algorithm (RFC 8725,
/// 3.1), so PS256 has an RSA key of its own.
public struct WebSigningKey: Sendable {
  /// The key that signs.
  public let signing: SigningKey
  /// Keys that are published and do not sign yet, or do not sign any more.
  public let others: [PublicKey]

  /// Keys.
  public init(_ signing: SigningKey, others: [PublicKey] = []) {
    self.signing = signing
    self.others = others
  }

  /// The algorithm of all of them.
  var algorithm: SignatureAlgorithm { signing.algorithm }

  /// The keys to publish, the one that signs first.
  var publicKeys: [PublicKey] { [signing.publicKey] + others }

  /// The algorithms that a relying party may have: RS256 by the key of the namespace, and those of keys of their own.
  public static let algorithms: [SignatureAlgorithm] = [
    .rsaSHA256, .rsaPSSSHA256, .ecdsaSHA256, .ed25519,
  ]
}
