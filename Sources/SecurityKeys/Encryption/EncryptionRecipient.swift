public import TokenErrors

/// Whom a token is encrypted to, and how.
public struct EncryptionRecipient: Sendable {
  /// The recipient's certificate, which the message shows so that the recipient finds its key.
  public let certificate: Certificate
  /// What encrypts the token.
  public let cipher: ContentCipher
  /// What encrypts the cipher's key.
  public let keyEncryption: KeyEncryption

  /// A recipient.
  ///
  /// AES-CBC notices no change of the ciphertext and is there for readers that know nothing else.
  ///
  /// - Parameter keyEncryption: Without it, `rsa-oaep-mgf1p` for an RSA key and `ecdh-es` for an EC key.
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
