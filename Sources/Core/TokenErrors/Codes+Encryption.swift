extension TokenError.Code {
  /// The token is encrypted and no decryption key is configured.
  public static let noDecryptionKey = Self(
    "encryption.no-key",
    "the token is encrypted and no decryption key is configured",
    hint:
      "name the private key with --decrypt-key, or in the trust file's decryptionKeys")
  /// The token cannot be decrypted with any of the decryption keys.
  ///
  /// One code for a wrong key, a wrong tag, impossible padding and a plaintext that is no assertion:
  /// to tell them apart would tell a stranger about the plaintext.
  public static let decryptionFailed = Self(
    "encryption.failed",
    "the token cannot be decrypted with any of the decryption keys",
    hint:
      "give the private key of the certificate that the issuer encrypts to, or give the issuer your "
      + "current certificate; why it failed is not told on purpose, and with "
      + "AES-CBC in an unsigned message a wrong signature inside looks the same")
  /// The encryption algorithm or its parameters are none that this library implements.
  public static let encryptionAlgorithm = Self(
    "encryption.algorithm",
    "the encryption algorithm or its parameters are none that fit here",
    hint:
      "have the issuer use AES-GCM, with RSA-OAEP for an RSA key or ECDH-ES for an EC key")
  /// The encrypted element is not built as XML Encryption and SAML demand.
  public static let encryptionStructure = Self(
    "encryption.structure",
    "the encrypted element is not built as XML Encryption and SAML demand",
    hint:
      "EncryptedData holds EncryptionMethod, KeyInfo and CipherData in that order, of one element")
  /// The ciphertext or its key is referred to instead of being there.
  public static let encryptionReference = Self(
    "encryption.reference",
    "the ciphertext or its key is referred to and is not beside the encrypted data",
    hint:
      "nothing is ever fetched: CipherValue holds the ciphertext, and RetrievalMethod names an "
      + "EncryptedKey beside EncryptedData")
  /// The plaintext uses a prefix that only the message around it declares, where no signature covers the
  /// declaration: whoever passed the message on could have given it another meaning.
  public static let encryptionNamespace = Self(
    "encryption.namespace",
    "the plaintext takes the namespace of a prefix from outside, where no signature covers it",
    hint:
      "have the issuer declare the prefix inside of what it encrypts, or sign the assertion itself with the "
      + "prefix in the PrefixList of InclusiveNamespaces")
  /// There are more encrypted keys or private-key operations than one token may cause.
  public static let tooManyEncryptedKeys = Self(
    "encryption.too-many-keys",
    "there are more encrypted keys than one token may bring",
    hint:
      "the issuer encrypts to one certificate; a trust file can raise limits.encryptedKeys")
  package static let encryption: [Self] = [
    .noDecryptionKey,
    .decryptionFailed,
    .encryptionAlgorithm,
    .encryptionStructure,
    .encryptionReference,
    .encryptionNamespace,
    .tooManyEncryptedKeys,
  ]
}
