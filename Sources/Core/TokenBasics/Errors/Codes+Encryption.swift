extension TokenError.Code {
  /// The token is encrypted and no decryption key is configured.
  public static let noDecryptionKey = Self(
    "encryption.no-key",
    "the token is encrypted and no decryption key is configured",
    hint:
      "add the private key to the decryption keys")
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
  /// None of the decryption keys is of the kind, the size or the name to which the token is encrypted. All of that is in
  /// cleartext: no key was used.
  public static let encryptionKeyMismatch = Self(
    "encryption.key-mismatch",
    "none of the decryption keys can be the one to which the token is encrypted",
    hint:
      "give the private key that belongs to the certificate or JWK that the issuer encrypts to, or give the issuer your "
      + "current one"
  )
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
  /// The header of an encrypted token names an algorithm that is none of those configured.
  public static let encryptionNotAllowed = Self(
    "encryption.not-allowed",
    "the token is encrypted with an algorithm that is not accepted",
    hint:
      "have the issuer use one of those expected, or add the one found to encryptionAlgorithms in the trust file"
  )
  /// The content of an encrypted token is compressed: its length tells of its content, and a few bytes become many.
  public static let compressedEncryption = Self(
    "encryption.compressed",
    "the content of the encrypted token is compressed",
    hint:
      "have the issuer encrypt without compression: leave zip out of the header")
  /// A part of the encrypted token, or a parameter in its header, has not the length that its algorithm demands.
  public static let encryptionParts = Self(
    "encryption.parts",
    "a part of the encrypted token has another length than its algorithm demands",
    hint:
      "the token was cut, or was put together by a program that does not follow RFC 7516: have it sent again"
  )
  /// The header of an encrypted token names another content than a JSON Web Token, or an SD-JWT is inside.
  public static let encryptedContentType = Self(
    "encryption.content-type",
    "the encrypted content is declared to be, or is, no plain JSON Web Token",
    hint:
      "have the issuer encrypt a signed token, and write cty as JWT or leave it out (RFC 7519, 5.2)"
  )
  /// Inside of an encrypted token is another encrypted one.
  public static let nestedEncryption = Self(
    "encryption.nested",
    "inside of the encrypted token is another encrypted one",
    hint:
      "have the issuer sign the token and encrypt it once")
  /// There are more encrypted keys or private-key operations than one token may cause.
  public static let tooManyEncryptedKeys = Self(
    "encryption.too-many-keys",
    "there are more encrypted keys than one token may bring",
    hint:
      "the issuer encrypts to one certificate; a trust file can raise limits.encryptedKeys")
  package static let encryption: [Self] = [
    .noDecryptionKey,
    .decryptionFailed,
    .encryptionKeyMismatch,
    .encryptionAlgorithm,
    .encryptionStructure,
    .encryptionReference,
    .encryptionNamespace,
    .encryptionNotAllowed,
    .compressedEncryption,
    .encryptionParts,
    .encryptedContentType,
    .nestedEncryption,
    .tooManyEncryptedKeys,
  ]
}
