import TokenBasics

/// A key of ours to which tokens are encrypted: a private key, or a secret shared with the issuer. Its bytes cannot be
/// read back, printed or logged.
public struct DecryptionKey: Sendable, CustomStringConvertible {
  /// The key itself, by its type.
  public enum Material: Sendable {
    /// A private key, for SAML and for JWT.
    case privateKey(PrivateKey)
    /// A secret shared with the issuer, for JWT.
    case secret(SymmetricKey)
  }

  /// The key itself, by its type.
  public let material: Material
  /// The identifier by which tokens may name the key (`kid` of a JWK); nil for any.
  public let keyID: String?
  /// The only `alg` for which the key may be used (RFC 7517, 4.4); nil for any of its type.
  public let algorithm: KeyManagement?
  /// The only `enc` for which a secret that encrypts content itself may be used; nil for any of its length.
  public let encryption: ContentEncryption?

  /// A private key.
  public init(_ key: PrivateKey, keyID: String? = nil, algorithm: KeyManagement? = nil) {
    self.init(.privateKey(key), keyID: keyID, algorithm: algorithm)
  }

  /// A shared secret: of 16, 24 or 32 bytes to wrap keys, and as long as the cipher demands for ``KeyManagement/direct``.
  public init(
    _ secret: SymmetricKey, keyID: String? = nil, algorithm: KeyManagement? = nil,
    encryption: ContentEncryption? = nil
  ) {
    self.init(.secret(secret), keyID: keyID, algorithm: algorithm, encryption: encryption)
  }

  private init(
    _ material: Material, keyID: String?, algorithm: KeyManagement?,
    encryption: ContentEncryption? = nil
  ) {
    self.material = material
    self.keyID = keyID
    self.algorithm = algorithm
    self.encryption = encryption
  }

  /// The private key, if it is one.
  public var privateKey: PrivateKey? {
    if case .privateKey(let key) = material { key } else { nil }
  }

  /// The kind, the fingerprint of the public half, and the identifier; nothing that is secret.
  public var description: String {
    let name = keyID.map { ", kid \(TokenError.excerpt($0))" } ?? ""
    switch material {
    case .privateKey(let key): return VerificationKey.publicKey(key.publicKey).description + name
    case .secret: return kindName + name
    }
  }

  /// Kind and size, and the algorithms for which alone it may be used.
  package var kindName: String {
    let reserved = [algorithm?.name, encryption?.name].compactMap { $0 }.joined(separator: " and ")
    let kind =
      switch material {
      case .privateKey(let key): key.publicKey.kind.name
      case .secret(let key): "a secret of \(key.byteCount) bytes"
      }
    return reserved.isEmpty ? kind : "\(kind) for \(reserved) alone"
  }
}
