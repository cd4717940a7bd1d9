extension TokenError.Code {
  /// The assertion has a condition that this library does not know.
  public static let unknownCondition = Self(
    "policy.condition",
    "the assertion has a condition that this library does not know",
    hint:
      "an unknown condition makes validity indeterminate (SAML Core 2.5.1)")
  /// Part of what would be read is not signed.
  public static let unsignedContent = Self(
    "policy.unsigned-content",
    "part of what would be read is not signed",
    hint:
      "sign the assertion itself, or the whole response")
  /// A limit or the skew is out of its range.
  public static let limitOutOfRange = Self(
    "policy.limit",
    "a limit or the skew is out of its range",
    hint:
      "the documentation of the trust file names the ranges")
  /// The trust file is not valid JSON.
  public static let trustFileSyntax = Self(
    "policy.trust-file-syntax",
    "the trust file is not valid JSON",
    hint:
      "see the line")
  /// The trust file has a member that does not exist.
  public static let trustFileKey = Self(
    "policy.trust-file-key",
    "the trust file has a member that does not exist",
    hint:
      "check the spelling; the documentation lists every member")
  /// A member of the trust file has a value that it cannot have.
  public static let trustFileValue = Self(
    "policy.trust-file-value",
    "a member of the trust file has a value that it cannot have",
    hint:
      "the documentation lists every member and its type")
  /// A file that the trust file names cannot be used.
  public static let trustFileReference = Self(
    "policy.trust-file-reference",
    "a file that the trust file names cannot be used",
    hint:
      "paths are relative to the trust file")
  /// The algorithm to allow is none that this library knows.
  public static let unknownAlgorithmName = Self(
    "policy.unknown-algorithm-name",
    "the algorithm to allow is none that this library knows",
    hint:
      "use a name such as rsa-sha1 or the algorithm's URI")
  /// The header demands something that this library does not implement.
  public static let criticalHeader = Self(
    "policy.critical-header",
    "the header demands something that this library does not implement",
    hint:
      "a critical header parameter must be understood or refused (RFC 7515, 4.1.11)")
  static let policy: [Self] = [
    .unknownCondition,
    .unsignedContent,
    .limitOutOfRange,
    .trustFileSyntax,
    .trustFileKey,
    .trustFileValue,
    .trustFileReference,
    .unknownAlgorithmName,
    .criticalHeader,
  ]
}
