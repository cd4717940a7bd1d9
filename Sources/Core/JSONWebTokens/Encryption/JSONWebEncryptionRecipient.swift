public import SecurityKeys
public import TokenBasics

/// The key to which a JSON Web Token is encrypted, and the algorithms.
public struct JSONWebEncryptionRecipient: Sendable {
  let key: RecipientKey
  /// How the content's key is encrypted.
  public let algorithm: KeyManagement
  /// How the content is encrypted.
  public let encryption: ContentEncryption
  /// The `kid` that identifies the key to the recipient.
  public let keyID: String?

  /// The holder of a private key.
  ///
  /// - Parameters:
  ///   - key: The public half: RSA, EC or X25519.
  ///   - keyID: The `kid` that identifies the key to the recipient.
  ///   - algorithm: Without it, `RSA-OAEP-256` for an RSA key, else `ECDH-ES+A256KW`.
  ///   - encryption: How the content is encrypted; without it by AES-256-GCM.
  /// - Throws: `policy.mint-encryption-algorithm` for an algorithm of another type of key, and for `RSA1_5`;
  ///   `key.weak` for RSA under 2048 bits or with an exponent under 65537.
  public init(
    _ key: PublicKey, keyID: String? = nil, algorithm: KeyManagement? = nil,
    encryption: ContentEncryption = .aes256GCM
  ) throws(TokenError) {
    let usual: KeyManagement = key.kind.agrees ? .ecdhESA256KW : .rsaOAEP256
    let named = algorithm ?? usual
    guard named.accepts(key.kind), named.exception == nil else {
      let fitting = KeyManagement.allCases.filter { $0.accepts(key.kind) && $0.exception == nil }
      throw TokenError(
        .mintEncryptionAlgorithm,
        expected: fitting.isEmpty
          ? "an RSA, EC or X25519 key" : fitting.map(\.name).joined(separator: ", "),
        found: named.name)
    }
    guard key.exceptions.isEmpty else {
      throw TokenError(
        .weakKey, expected: "RSA of 2048 bits or more with e of 65537 or more",
        found: VerificationKey.publicKey(key).kindName)
    }
    self.key = .publicKey(key)
    self.algorithm = named
    self.encryption = encryption
    self.keyID = keyID
  }

  /// The other holder of a shared secret.
  ///
  /// - Parameters:
  ///   - secret: What both hold.
  ///   - keyID: The `kid` that identifies the secret to the recipient.
  ///   - algorithm: Without it, AES key wrap by the length of the secret.
  ///   - encryption: How the content is encrypted; without it by AES-256-GCM.
  /// - Throws: `policy.mint-encryption-algorithm` for a secret of another length than the algorithm's.
  public init(
    _ secret: SymmetricKey, keyID: String? = nil, algorithm: KeyManagement? = nil,
    encryption: ContentEncryption = .aes256GCM
  ) throws(TokenError) {
    let wraps: [KeyManagement] = [.a128KW, .a192KW, .a256KW]
    let named = algorithm ?? wraps.first { $0.secretLength(encryption) == secret.byteCount }
    guard let named, named.secretLength(encryption) == secret.byteCount else {
      throw TokenError(
        .mintEncryptionAlgorithm,
        expected: named.map {
          "\($0.name) with a secret of \($0.secretLength(encryption) ?? 0) bytes"
        } ?? "a secret of 16, 24 or 32 bytes", found: "a secret of \(secret.byteCount) bytes")
    }
    key = .secret(secret)
    self.algorithm = named
    self.encryption = encryption
    self.keyID = keyID
  }

  /// The holder of `key`, with the algorithms of a token that was encrypted to it.
  ///
  /// - Throws: `policy.mint-encryption-algorithm` for `RSA1_5`.
  package init(_ key: DecryptionKey, like encrypted: JSONWebEncryption) throws(TokenError) {
    let (algorithm, encryption) = (encrypted.header.algorithm, encrypted.header.encryption)
    switch key.material {
    case .privateKey(let own):
      try self.init(
        own.publicKey, keyID: key.keyID, algorithm: algorithm, encryption: encryption)
    case .secret(let secret):
      try self.init(secret, keyID: key.keyID, algorithm: algorithm, encryption: encryption)
    }
  }

  /// The key of a JWK, or the one key for encryption of a JWK set (RFC 7517).
  ///
  /// - Parameters:
  ///   - jwk: JSON.
  ///   - algorithm: Without it, the one for which the key is reserved, or else by the type of key.
  ///   - encryption: How the content is encrypted; without it by AES-256-GCM.
  /// - Throws: `input.json-*`, `key.*`, `policy.mint-encryption-algorithm`.
  public init(
    jwk: [UInt8], algorithm: KeyManagement? = nil, encryption: ContentEncryption? = nil
  ) throws(TokenError) {
    let read = try JSONWebEncryptionKey.only(in: jwk)
    if let algorithm, let reserved = read.algorithm, algorithm != reserved {
      throw TokenError(
        .mintEncryptionAlgorithm, expected: "\(reserved.name), the alg of the key",
        found: algorithm.name)
    }
    let named = algorithm ?? read.algorithm
    let content = encryption ?? read.encryption ?? .aes256GCM
    switch try read.recipientKey() {
    case .publicKey(let key):
      try self.init(key, keyID: read.keyID, algorithm: named, encryption: content)
    case .secret(let secret):
      try self.init(secret, keyID: read.keyID, algorithm: named, encryption: content)
    }
  }
}
