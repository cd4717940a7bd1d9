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
  /// Several keys and several issuers are named, and nothing says which key is whose.
  public static let unpairedKeys = Self(
    "policy.unpaired-keys",
    "several keys and several owners are named, and nothing says which key is whose",
    hint:
      "give each issuer its keys in a trust file; options name several keys of one issuer, or one key of "
      + "several")
  /// A limit or the skew is out of its range.
  public static let limitOutOfRange = Self(
    "policy.limit",
    "a limit or the skew is out of its range",
    fault: .configuration,
    hint:
      "the documentation of the trust file names the ranges")
  /// The trust file is not valid JSON.
  public static let trustFileSyntax = Self(
    "policy.trust-file-syntax",
    "the trust file is not valid JSON",
    fault: .configuration,
    hint:
      "see the line")
  /// The trust file has a member that does not exist.
  public static let trustFileKey = Self(
    "policy.trust-file-key",
    "the trust file has a member that does not exist",
    fault: .configuration,
    hint:
      "check the spelling; the documentation lists every member")
  /// A member of the trust file has a value that it cannot have.
  public static let trustFileValue = Self(
    "policy.trust-file-value",
    "a member of the trust file has a value that it cannot have",
    fault: .configuration,
    hint:
      "the documentation lists every member and its type")
  /// A file that the trust file names cannot be used.
  public static let trustFileReference = Self(
    "policy.trust-file-reference",
    "a file that the trust file names cannot be used",
    fault: .configuration,
    hint:
      "paths are relative to the trust file")
  /// A trust file with issuers whose keys have to be fetched.
  public static let trustFileRemote = Self(
    "policy.trust-file-remote",
    "the trust file names an issuer whose keys have to be fetched, and nothing is fetched here",
    fault: .configuration,
    hint:
      "claims trust fetch FILE writes a trust file with the keys in it; claims-gate fetches them itself"
  )
  /// The algorithm to allow is none that this library knows.
  public static let unknownAlgorithmName = Self(
    "policy.unknown-algorithm-name",
    "no algorithm that this library knows has this name",
    fault: .configuration,
    hint:
      "use a short name such as rsa-sha256, the name in JOSE such as RS256, or the algorithm's URI; case "
      + "counts")
  /// The header demands something that this library does not implement.
  public static let criticalHeader = Self(
    "policy.critical-header",
    "the header demands something that this library does not implement",
    hint:
      "a critical header parameter must be understood or refused (RFC 7515, 4.1.11)")
  /// The token declares another purpose.
  public static let tokenPurpose = Self(
    "policy.token-purpose",
    "the token declares another purpose",
    hint:
      "typ may be absent, JWT, at+jwt or JOSE; a logout, event or proof token is no sign-in "
      + "(RFC 8725, 3.11)")
  /// A text to issue has a character that the token cannot carry.
  public static let mintCharacter = Self(
    "policy.mint-character",
    "a text to issue has a character that the token cannot carry",
    fault: .configuration,
    hint:
      "leave out control characters; only claim values of SAML may have tabs and line ends")
  /// Something that every issued token names is empty.
  public static let mintEmpty = Self(
    "policy.mint-empty",
    "something that every issued token names is empty",
    fault: .configuration,
    hint:
      "name the issuer and the audience, and give each claim a type")
  /// A Simple Web Token has exactly one audience.
  public static let mintAudiences = Self(
    "policy.mint-audiences",
    "a Simple Web Token has exactly one audience",
    fault: .configuration,
    hint:
      "issue one Simple Web Token for each audience")
  /// The lifetime is out of range.
  public static let mintLifetime = Self(
    "policy.mint-lifetime",
    "the lifetime is out of range",
    fault: .configuration,
    hint:
      "whole seconds, one or more, at most ten years")
  /// A claim to issue has a name that the token keeps for itself.
  public static let mintReservedName = Self(
    "policy.mint-reserved-name",
    "a claim to issue has a name that the token keeps for itself",
    fault: .configuration,
    hint:
      "rename the claim; the issuer, the audience and the lifetime have options of their own")
  /// A claim type cannot be written in SAML 1.1.
  public static let mintClaimType = Self(
    "policy.mint-claim-type",
    "a claim type cannot be written in SAML 1.1",
    fault: .configuration,
    hint:
      "SAML 1.1 cuts a type at its last /, with text on both sides; use a URI")
  /// A claim whose value is JSON text cannot be written so in a JWT.
  public static let mintClaimValue = Self(
    "policy.mint-claim-value",
    "the value of a claim is declared as JSON and is not, or is null",
    fault: .configuration,
    hint:
      "give it as a string, or as JSON text that is no null: null is no value")
  /// The subject is also given as a claim.
  public static let mintSubjectTwice = Self(
    "policy.mint-subject-twice",
    "the subject is also given as a claim",
    fault: .configuration,
    hint:
      "the subject becomes the nameidentifier claim; leave that claim out")
  /// The identifier to issue is no XML name.
  public static let mintIdentifier = Self(
    "policy.mint-identifier",
    "the identifier to issue is no XML name",
    fault: .configuration,
    hint:
      "a letter or _ first, then letters, digits, _, - and ., at most 200 in all")
  /// The token has no place for a recipient or a request.
  public static let mintDelivery = Self(
    "policy.mint-delivery",
    "the token has no place for a recipient or a request",
    fault: .configuration,
    hint:
      "in SAML 1.1 only a response names them; wrap the assertion in one")
  /// The signing key does not make signatures of that algorithm.
  public static let mintAlgorithm = Self(
    "policy.mint-algorithm",
    "the signing key does not make signatures of that algorithm",
    fault: .configuration,
    hint:
      "rsa- algorithms need an RSA key, ecdsa- algorithms an EC key; SHA-1 is never signed")
  /// The certificate is not that of the signing key.
  public static let mintCertificate = Self(
    "policy.mint-certificate",
    "the certificate is not that of the signing key",
    fault: .configuration,
    hint:
      "give the certificate that was issued for this private key")
  /// The signing key made no signature.
  public static let mintSignature = Self(
    "policy.mint-signature",
    "the signing key made no signature",
    fault: .configuration,
    hint:
      "OpenSSL refused; check that the key is whole and that its provider has the algorithm")
  /// The token is not encrypted with that algorithm to that certificate.
  public static let mintEncryptionAlgorithm = Self(
    "policy.mint-encryption-algorithm",
    "nothing is encrypted with that algorithm to that certificate",
    fault: .configuration,
    hint:
      "rsa-oaep- needs an RSA key, ecdh-es an EC key; RSA 1.5 and triple DES are never used to encrypt"
  )
  /// SAML 1.1 has no encrypted form of a token in that place.
  public static let mintEncryptionPlace = Self(
    "policy.mint-encryption-place",
    "SAML 1.1 has no encrypted form of a token in that place",
    fault: .configuration,
    hint:
      "only a WS-Trust response carries an encrypted SAML 1.1 assertion; wrap it in one, or issue "
      + "SAML 2.0")
  /// OpenSSL did not encrypt.
  public static let mintEncryption = Self(
    "policy.mint-encryption",
    "the token was not encrypted",
    fault: .configuration,
    hint:
      "OpenSSL refused; check that its provider has the algorithm and its generator has entropy")
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
      "nothing decides between the two; keep one")
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
      + "certificate, and in signed metadata a type whose prefix the signature covers (PrefixList); claims "
      + "metadata lint shows more")
  /// The signature of metadata stands behind too much content.
  public static let metadataTooLarge = Self(
    "policy.metadata-size",
    "the signature of metadata stands behind too much content",
    hint:
      "the schema has the Signature before everything else in the document element; it is looked for in the "
      + "first 10 MiB, since it says how the rest is digested")
  /// A metadata file is longer than any that is read, even without a signature to check.
  public static let metadataStreamTooLarge = Self(
    "policy.metadata-stream-size",
    "a metadata file is longer than any that is read",
    hint:
      "split the aggregate; the largest federations publish under 100 MB")
  /// The capture of a token would get another verdict than the token.
  public static let captureVerdict = Self(
    "policy.capture-verdict",
    "the capture of the token would get another verdict than the token",
    hint:
      "nothing was written; report the code of the token and what claims explain says about it")
  /// A value of the token survives in its capture.
  public static let captureSurvivor = Self(
    "policy.capture-survivor",
    "a value of the token would survive in its capture",
    hint:
      "nothing was written; the value is in what a capture keeps, or occurs by chance: try again")
  package static let policy: [Self] = [
    .unknownCondition,
    .unsignedContent,
    .unpairedKeys,
    .limitOutOfRange,
    .trustFileSyntax,
    .trustFileKey,
    .trustFileValue,
    .trustFileReference,
    .trustFileRemote,
    .unknownAlgorithmName,
    .criticalHeader,
    .tokenPurpose,
    .mintCharacter,
    .mintEmpty,
    .mintAudiences,
    .mintLifetime,
    .mintReservedName,
    .mintClaimType,
    .mintClaimValue,
    .mintSubjectTwice,
    .mintIdentifier,
    .mintDelivery,
    .mintAlgorithm,
    .mintCertificate,
    .mintSignature,
    .mintEncryptionAlgorithm,
    .mintEncryptionPlace,
    .mintEncryption,
    .notMetadata,
    .metadataDuplicate,
    .metadataEntityID,
    .unknownEntity,
    .metadataNoKey,
    .metadataTooLarge,
    .metadataStreamTooLarge,
    .captureVerdict,
    .captureSurvivor,
  ]
}
