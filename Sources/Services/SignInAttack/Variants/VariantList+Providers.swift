extension VariantList {
  /// The variants with two providers that the service trusts.
  static func secondProvider(of configuration: AttackConfiguration) -> [AttackVariant] {
    guard configuration.second != nil else { return [] }
    switch configuration.protocolName {
    case .saml20: return [inFirstName("SAML Profiles 4.1.4.3"), answersFirst("SAML Core 3.2.2")]
    case .wsFederation:
      return [
        inFirstName("WS-Federation 1.2, 13.2.2; SAML Core 2.3.3"),
        answersFirst("WS-Federation 1.2, 13.2.2"),
      ]
    case .openID:
      return [
        inFirstName("OpenID Connect Core 1.0, 3.1.3.7"),
        mixUp("mix-up/code", "with its iss", hasIssuer: true),
        mixUp("mix-up/code-without-issuer", "without iss", hasIssuer: false),
      ]
    }
  }

  private static func inFirstName(_ clause: String) -> AttackVariant {
    AttackVariant(
      "mix-up/in-first-name",
      "the second provider that is trusted answers in the name of the first", clause: clause,
      meaning: "each provider can speak for every other one", .error,
      .conversation(.second(.inFirstName)))
  }

  private static func answersFirst(_ clause: String) -> AttackVariant {
    AttackVariant(
      "mix-up/answers-first",
      "the second provider that is trusted answers the request to the first, in its own name",
      clause: clause,
      meaning: "a provider can sign in a person who chose another one", .warning,
      .conversation(.second(.answersFirst)))
  }

  private static func mixUp(
    _ id: String, _ how: String, hasIssuer: Bool
  ) -> AttackVariant {
    var variant = AttackVariant(
      id, "the second provider sends its sign-in on to the first, whose code comes back \(how)",
      clause: "RFC 9700, 4.4; RFC 9207, 2.4",
      meaning: "the service brings codes of one provider to another, which can sign in with them",
      .error,
      .conversation(.second(.mixesUp(hasIssuer: hasIssuer))))
    variant.severityIfAsked = .error
    return variant
  }

  // MARK: Keys

  /// The variants with a key that the token names, or that the key set has for something else.
  static func keyTricks(of configuration: AttackConfiguration) -> [AttackVariant] {
    configuration.protocolName == .openID ? keyTricks : []
  }

  private static let named = "a key that the token points at is trusted: anyone can sign"

  /// Those of the key set first: many services read it again once a minute.
  private static let keyTricks: [AttackVariant] = [
    trick(
      "keys/secret-in-set", "the key set has a secret, under which the token has a MAC",
      "RFC 7518, 6.4; OpenID Connect Core 1.0, 10.1", "a secret that anyone can read counts as one",
      .error, .publishedSecret),
    trick(
      "keys/for-encryption", "the key set has another key for encryption, which signs",
      "RFC 7517, 4.2; OpenID Connect Core 1.0, 10.1", "a key for encryption counts for signatures",
      .warning, .publishedForEncryption),
    trick(
      "keys/for-another-algorithm", "the key set has another key for RS512, which signs RS256",
      "RFC 7517, 4.4; RFC 8725, 3.1", "a key is used with an algorithm that it is not for", .note,
      .publishedForAnotherAlgorithm),
    trick(
      "keys/jku", "the header has the address of another key set, and that key signs",
      "RFC 8725, 3.10; RFC 7515, 4.1.2", named, .error, .keySetAddress),
    trick(
      "keys/x5u", "the header has the address of another certificate, and its key signs",
      "RFC 8725, 3.10; RFC 7515, 4.1.5", named, .error, .certificateAddress),
    trick(
      "keys/kid-address", "the name of the key is the address of another key set",
      "RFC 8725, 3.10; RFC 7515, 4.1.4", named, .error, .keyIDAddress),
    trick(
      "keys/kid-path",
      "the name of the key is the path of an empty file, whose content is the secret",
      "RFC 8725, 3.10", "the token chooses a file of the service as its key", .error, .keyIDPath),
    trick(
      "keys/kid-query", "the name of the key is a query whose result is the secret",
      "RFC 8725, 3.10", "the token reaches the data base of the service", .error, .keyIDQuery),
  ]

  private static func trick(
    _ id: String, _ summary: String, _ clause: String, _ meaning: String,
    _ severity: AttackVariant.Severity, _ trick: KeyTrick
  ) -> AttackVariant {
    var variant = AttackVariant(
      id, summary, clause: clause, meaning: meaning, severity, .conversation(.key(trick)))
    if trick.isPublished { variant.publication = .rolledKeys }
    return variant
  }

  // MARK: Documents

  /// The variants of a document that the service reads again.
  static func documents(of configuration: AttackConfiguration) -> [AttackVariant] {
    guard configuration.rereading != nil else { return [] }
    return configuration.protocolName == .openID ? discovery : metadata
  }

  private static let discovery: [AttackVariant] = [
    lie(
      "discovery/other-issuer",
      "the discovery document is about another issuer, and so is the token",
      "OpenID Connect Discovery 1.0, 4.3", "a provider can speak for every other one", .error,
      .otherName),
    lie(
      "discovery/unsigned-tokens", "the discovery document promises tokens without signatures",
      "OpenID Connect Discovery 1.0, 3; RFC 8725, 3.2", "an ID token that nothing signs is taken",
      .error, .unsignedTokens),
    lie(
      "discovery/keys-in-address",
      "the address of the key set is no address, but holds another key",
      "OpenID Connect Discovery 1.0, 3", "other addresses than of https are read", .warning,
      .keysInAddress),
  ]

  private static let metadata: [AttackVariant] = [
    lie(
      "metadata/other-name", "the metadata are about another entity, and so is the answer",
      "SAML Metadata 2.3.2", "whoever writes the document chooses whose name it has", .warning,
      .otherName),
    lie(
      "metadata/other-role", "another key stands in the role of a service, and signs",
      "SAML Metadata 2.4 and 2.4.1.1", "a key of a service counts for a provider", .error,
      .otherRole
    ),
    lie(
      "metadata/encryption-key", "another key is there for encryption, and signs",
      "SAML Metadata 2.4.1.1", "a key for encryption counts for signatures", .warning,
      .encryptionKey),
    lie(
      "metadata/other-entity", "another entity stands beside the provider, and its key signs",
      "SAML Metadata 2.3.1", "a key of one entity counts for another", .error, .otherEntity),
    lie(
      "metadata/expired", "the metadata are over, and have another key, which signs",
      "SAML Metadata 2.3.2", "old metadata count, with keys that were withdrawn", .warning, .expired
    ),
  ]

  private static func lie(
    _ id: String, _ summary: String, _ clause: String, _ meaning: String,
    _ severity: AttackVariant.Severity, _ lie: DocumentLie
  ) -> AttackVariant {
    var variant = AttackVariant(
      id, summary, clause: clause, meaning: meaning, severity, .conversation(.document(lie)))
    variant.publication = .lie(lie)
    return variant
  }
}
