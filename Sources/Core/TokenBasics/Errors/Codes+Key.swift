extension TokenError.Code {
  /// No trusted key vouches for this issuer in this format.
  public static let noKey = Self(
    "key.none",
    "no trusted key vouches for this issuer in this format",
    hint:
      "add the issuer's key to the trusted keys, or name this format among those of the issuer in a trust file"
  )
  /// The key or certificate cannot be read.
  public static let unreadableKey = Self(
    "key.unreadable",
    "the key or certificate cannot be read",
    hint:
      "PEM or DER, one certificate or public key; hmac:BASE64 or hmac-file:PATH for a shared "
      + "secret, jwks:PATH for a JWK set; keys of metadata are trusted by naming the metadata")
  /// The file holds several keys or certificates.
  public static let severalKeys = Self(
    "key.several",
    "the file holds several keys or certificates",
    hint:
      "put each in a file of its own and name the files one by one; no chain is built, so the "
      + "certificate of the issuer's key alone is enough")
  /// The key is too weak to prove anything.
  public static let weakKey = Self(
    "key.weak",
    "the key is too weak to prove anything",
    hint:
      "RSA needs 2048 bits and an exponent of 65537 or more; rsa-small-modulus or rsa-small-exponent among "
      + "the allowed algorithms lets one in")
  /// The key is of a kind that verifies no supported signature.
  public static let unsupportedKey = Self(
    "key.unsupported",
    "the key is of a kind that verifies no supported signature",
    hint:
      "RSA, EC on P-256, P-384 or P-521, Ed25519 or Ed448")
  /// The HMAC key is shorter than 32 bytes.
  public static let hmacKeyLength = Self(
    "key.hmac-length",
    "the HMAC key is shorter than 32 bytes",
    hint:
      "use 32 random bytes or more")
  /// The certificate around the trusted key is not valid now.
  public static let certificateDates = Self(
    "key.certificate-dates",
    "the certificate around the trusted key is not valid now",
    hint:
      "renew it, or drop certificateDates: enforce")
  /// The token names a key that the issuer does not have.
  public static let unknownKeyID = Self(
    "key.unknown-id",
    "the token names a key that the issuer does not have",
    hint:
      "the issuer may have rolled its keys over; fetch its key set anew")
  /// The token names a key by an identifier that two keys of its set have.
  public static let duplicateKeyID = Self(
    "key.duplicate-id",
    "the token names a key by an identifier that two keys of the set have",
    hint:
      "type and algorithm fit both, and two readers would take different ones; the issuer must "
      + "tell its "
      + "keys apart")
  /// The JSON is no JWK set.
  public static let notKeySet = Self(
    "key.not-a-set",
    "the content is no JWK set",
    hint:
      "a JWK set is an object with a member keys, an array of keys (RFC 7517, 5); one key by "
      + "itself has a "
      + "member kty")
  /// A key set has no key that verifies signatures.
  public static let emptyKeySet = Self(
    "key.empty-set",
    "the key set has no key that verifies signatures",
    hint:
      "fetch the issuer's current set; keys with another use, such as enc, verify nothing")
  /// A set of public keys holds a private or secret key.
  public static let privateKey = Self(
    "key.private",
    "a set of public keys holds a private or secret key",
    hint:
      "anyone who can read it can sign; ask the issuer to replace the key")
  /// The metadata that the key came from is no longer valid.
  public static let metadataExpired = Self(
    "key.metadata-expired",
    "the metadata that the key came from is no longer valid",
    hint:
      "get the issuer's current metadata; validUntil limits the use of a copy")
  package static let key: [Self] = [
    .noKey,
    .unreadableKey,
    .severalKeys,
    .weakKey,
    .unsupportedKey,
    .hmacKeyLength,
    .certificateDates,
    .unknownKeyID,
    .duplicateKeyID,
    .notKeySet,
    .emptyKeySet,
    .privateKey,
    .metadataExpired,
  ]
}

extension TokenError.Code {
  /// The signature algorithm is none that this library implements.
  public static let unknownSignatureAlgorithm = Self(
    "algorithm.signature",
    "the signature algorithm is none that this library implements",
    hint:
      "see the README for the list")
  /// The digest algorithm is none that this library implements.
  public static let unknownDigestAlgorithm = Self(
    "algorithm.digest",
    "the digest algorithm is none that this library implements",
    hint:
      "see the README for the list")
  /// The canonicalization method is none that this library implements.
  public static let unknownCanonicalization = Self(
    "algorithm.canonicalization",
    "the canonicalization method is none that this library implements",
    hint:
      "Canonical XML 1.0 and 1.1 and Exclusive 1.0, with or without comments")
  /// The algorithm is broken or too old and was not allowed by name.
  public static let legacyAlgorithm = Self(
    "algorithm.legacy",
    "the algorithm is broken or too old and was not allowed by name",
    hint:
      "have the issuer use SHA-256, and for encryption AES-GCM and RSA-OAEP; until then "
      + "the name found among the allowed algorithms lets it in, with a warning")
  /// The algorithm is none of those that are accepted of the issuer or of the key.
  public static let algorithmNotAllowed = Self(
    "algorithm.not-allowed",
    "the algorithm is none of those that are accepted of this issuer or key",
    hint:
      "where a trust file lists algorithms for the issuer, add it if the issuer really uses it")
  /// The algorithm does not belong to the type of any trusted key.
  public static let algorithmKeyMismatch = Self(
    "algorithm.key-mismatch",
    "the algorithm does not belong to the type of any trusted key",
    hint:
      "the key decides which algorithms it may verify, never the token")
  package static let algorithm: [Self] = [
    .unknownSignatureAlgorithm,
    .unknownDigestAlgorithm,
    .unknownCanonicalization,
    .legacyAlgorithm,
    .algorithmNotAllowed,
    .algorithmKeyMismatch,
  ]
}
