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
  /// The document is no SAML or WS-Federation metadata.
  public static let notMetadata = Self(
    "policy.metadata-root",
    "the document is no SAML or WS-Federation metadata",
    hint:
      "the document element is EntityDescriptor or EntitiesDescriptor of SAML 2.0 metadata")
  /// Metadata describes one entity twice.
  public static let metadataDuplicate = Self(
    "policy.metadata-duplicate",
    "metadata describes one entity twice",
    hint:
      "which of the two would count is anybody's guess; keep one")
  /// Metadata names an entity in a way that no token can.
  public static let metadataEntityID = Self(
    "policy.metadata-entity-id",
    "metadata names an entity in a way that no token can",
    hint:
      "an entityID has 1 to 1024 characters and no control characters")
  /// The metadata does not describe the entity that was asked for.
  public static let unknownEntity = Self(
    "policy.metadata-entity-unknown",
    "the metadata does not describe the entity that was asked for",
    hint:
      "names are compared byte for byte; claims metadata show lists them")
  /// Metadata has no key that could vouch for a token.
  public static let metadataNoKey = Self(
    "policy.metadata-no-key",
    "metadata has no key that could vouch for a token",
    hint:
      "an identity provider or security token service needs a KeyDescriptor for signing with a "
      + "certificate; claims metadata lint says more")
  /// Metadata is too large for what is asked.
  public static let metadataTooLarge = Self(
    "policy.metadata-size",
    "metadata is too large for what is asked",
    hint:
      "a signature is checked up to 10 MiB; larger aggregates are read as trusted local files, "
      + "without a pinned key")
  static let policy: [Self] = [
    .unknownCondition,
    .unsignedContent,
    .limitOutOfRange,
    .trustFileSyntax,
    .trustFileKey,
    .trustFileValue,
    .trustFileReference,
    .unknownAlgorithmName,
    .notMetadata,
    .metadataDuplicate,
    .metadataEntityID,
    .unknownEntity,
    .metadataNoKey,
    .metadataTooLarge,
  ]
}
