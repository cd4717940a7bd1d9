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
      + "--allow-algorithm with the name found lets it in, with a warning")
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
