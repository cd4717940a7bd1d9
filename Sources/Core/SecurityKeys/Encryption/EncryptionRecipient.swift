public import TokenBasics

/// The recipient's key and the algorithms that encrypt a token to it.
public struct EncryptionRecipient: Sendable {
  /// The recipient's certificate, which the message includes to identify the private key.
  public let certificate: Certificate
  /// The algorithm that encrypts the token.
  public let cipher: ContentCipher
  /// The algorithm that encrypts the cipher's key.
  public let keyEncryption: KeyEncryption

  /// A recipient.
  ///
  /// AES-CBC detects no change of the ciphertext and is meant for readers that support nothing else.
  ///
  /// - Parameters:
  ///   - certificate: The certificate with the key to encrypt to.
  ///   - cipher: The cipher of the content.
  ///   - keyEncryption: Without it, `rsa-oaep-mgf1p` for an RSA key and `ecdh-es` for an EC key.
  /// - Throws: `policy.mint-encryption-algorithm` for triple DES and for an algorithm of another type of
  ///   key, `key.weak` for RSA under 2048 bits or with an exponent under 65537.
  public init(
    _ certificate: Certificate, cipher: ContentCipher = .aes256GCM,
    keyEncryption: KeyEncryption? = nil
  ) throws(TokenError) {
    let key = certificate.publicKey
    let fitting = KeyEncryption.allCases.filter { $0.accepts(key.kind) }
    let named = keyEncryption ?? fitting.first
    guard let named, fitting.contains(named) else {
      throw TokenError(
        .mintEncryptionAlgorithm,
        expected: fitting.isEmpty
          ? "a certificate of an RSA or EC key" : fitting.map(\.name).joined(separator: ", "),
        found: named?.name ?? VerificationKey.certificate(certificate).kindName)
    }
    guard cipher.exception == nil else {
      throw TokenError(
        .mintEncryptionAlgorithm,
        expected: ContentCipher.allCases.filter { $0.exception == nil }.map(\.name)
          .joined(separator: ", "), found: cipher.name)
    }
    guard key.exceptions.isEmpty else {
      throw TokenError(
        .weakKey, expected: "RSA of 2048 bits or more with e of 65537 or more",
        found: VerificationKey.certificate(certificate).kindName)
    }
    self.certificate = certificate
    self.cipher = cipher
    self.keyEncryption = named
  }
}
