import TokenMutation

/// What accepting a change of a token means, by the family of the change.
struct MutationRule {
  let clause: String
  let meaning: String
  let severity: AttackVariant.Severity
  /// Where the service reads the person that was signed all the same.
  let genuine: AttackVariant.Severity

  private init(
    _ clause: String, _ meaning: String, _ severity: AttackVariant.Severity,
    genuine: AttackVariant.Severity? = nil
  ) {
    self.clause = clause
    self.meaning = meaning
    self.severity = severity
    self.genuine = genuine ?? severity
  }

  static func of(_ mutation: Mutation, isJWT: Bool) -> Self {
    let table = isJWT ? webToken : saml
    let exact = table[mutation.name] ?? (isJWT ? nil : structural(mutation.name))
    return exact ?? table[mutation.family]
      ?? Self("the format's own", "a malformed token is taken", .warning)
  }

  // MARK: SAML, also in WS-Federation

  private static let unsigned =
    "what is not signed is taken, so an attacker who writes a message can be anyone"

  private static let saml: [String: Self] = [
    "signature": Self("SAML Core 5.4; XML Signature 1.1, 3.2", unsigned, .error),
    "value": Self(
      "XML Signature 1.1, 4.3 and 4.4.3.6", "a malformed value is read in a lenient way", .note),
    "value/SignatureValue-empty": wrongValue, "value/SignatureValue-flip-first": wrongValue,
    "value/SignatureValue-flip-middle": wrongValue, "value/SignatureValue-flip-last": wrongValue,
    "value/SignatureValue-cut": wrongValue, "value/SignatureValue-half": wrongValue,
    "value/SignatureValue-longer": wrongValue, "value/SignatureValue-zero": wrongValue,
    "value/DigestValue-empty": wrongValue, "value/DigestValue-flip-first": wrongValue,
    "value/DigestValue-flip-middle": wrongValue, "value/DigestValue-flip-last": wrongValue,
    "value/DigestValue-cut": wrongValue, "value/DigestValue-half": wrongValue,
    "value/DigestValue-longer": wrongValue, "value/DigestValue-zero": wrongValue,
    "reference": Self(
      "SAML Core 5.4.2", "a signature over something else counts for the assertion", .error),
    "transform": Self("SAML Core 5.4.4", "what is signed is not what is read", .error),
    "algorithm": Self(
      "XML Signature 1.1, 6; SAML Core 5.4", "the message chooses how it is verified", .error),
    "confusion": Self(
      "XML Signature 1.1, 6.3", "the public key is taken for a secret: anyone can sign", .error),
    "key": Self(
      "SAML Core 5.4.5; SAML Metadata 2.4.1.1", "a key in the message is trusted: anyone can sign",
      .error),
    "wrapping": Self(
      "SAML Core 5.4.2; SAML Profiles 4.1.4.3",
      "the part that is read is not the part that is signed", .error,
      genuine: .note),
    "response": Self(
      "SAML Profiles 4.1.4.3; SAML Core 3.2.2", "the message around the assertion is not checked",
      .note),
    "response/status": Self("SAML Core 3.2.2.2", "a failed sign-in signs in", .warning),
    "response/issuer": Self(
      "SAML Profiles 4.1.4.3", "the response may be another provider's", .warning),
    "response/other-request": Self(
      "SAML Core 3.2.2", "the response answers a request that was not made", .warning),
    "root": Self(
      "SAML Profiles 4.1.4.2", "another message than a response signs in", .warning, genuine: .note),
    "identifier": Self(
      "SAML Core 1.3.4; XML 1.0, 3.3.1", "two parts share the name that is signed", .error,
      genuine: .warning),
    "xml": Self(
      "XML 1.0; SAML Core 1.3", "documents are read that no two parsers read alike", .warning,
      genuine: .note),
    "limit": Self("SAML Security and Privacy 7", "a message may use up the service", .note),
    "content": Self("SAML Core 5.4", unsigned, .error),
    "issuer": Self(
      "SAML Profiles 4.1.4.3; SAML Core 2.3.3", "any name may sign in with this provider's key",
      .error),
    "time": Self("SAML Core 2.5.1.2", "an assertion counts beyond its time", .warning),
    "subject": Self(
      "SAML Profiles 3.3 and 4.1.4.3", "a subject that is not confirmed signs in", .warning),
    "recipient": Self(
      "SAML Profiles 4.1.4.3",
      "an assertion that was delivered elsewhere, or for another request, signs in", .error),
    "audience": Self(
      "SAML Core 2.5.1.4; SAML Profiles 4.1.4.2", "an assertion for another service signs in",
      .error),
    // The issuer alone can sign one, so what is lost is that no two readers read it alike.
    "audience/instruction": Self(
      "SAML Core 2.5.1.4", "text is read that a processing instruction divides", .note),
    "structure": Self(
      "SAML Core 2.3.3 and 2.5.1", "a condition that is not understood is passed over", .note),
    "structure/unknown-condition": Self(
      "SAML Core 2.5.1.1", "a condition that is not understood is passed over", .warning),
    "weak": Self(
      "SAML Core 5.4; XML Signature 1.1, 6", "a signature that can be forged or moved counts",
      .warning),
    "transport": Self(
      "SAML Bindings 3.5.4; RFC 4648, 3.3", "a malformed message is read in a lenient way", .note),
  ]

  /// A genuine signature with something more around it, or in another place.
  private static func structural(_ name: String) -> Self? {
    guard structuralPrefixes.contains(where: name.hasPrefix) else { return nil }
    return Self(
      "XML Signature 1.1, 4.1 and 4.2",
      "a signature is looked for in a way that may find a forged one",
      .error, genuine: .note)
  }

  private static let structuralPrefixes = [
    "signature/two-", "signature/forged-", "signature/moved-to-", "signature/copied-to-",
    "signature/SignedInfo-in-Object", "signature/key-info-first", "signature/unknown-child",
    "signature/repeated",
  ]

  private static let wrongValue = Self("XML Signature 1.1, 3.2.2", unsigned, .error)

  // MARK: JSON Web Tokens

  private static let webToken: [String: Self] = [
    "signature": Self("RFC 7515, 5.2; OpenID Connect Core 1.0, 3.1.3.7", unsigned, .error),
    "algorithm": Self(
      "RFC 8725, 3.1; OpenID Connect Core 1.0, 3.1.3.7", "the token chooses how it is verified",
      .error),
    "confusion": Self(
      "RFC 8725, 2.1 and 3.1", "the public key is taken for a secret: anyone can sign", .error),
    "key": Self(
      "RFC 8725, 3.10", "a key that the token brings or points at is trusted: anyone can sign",
      .error),
    "parts": Self("RFC 7515, 7.1", "something else than a signed token is read as one", .error),
    "encoding": Self("RFC 7515, 2", "a malformed part is read in a lenient way", .note),
    "header": Self("RFC 7515, 4 and 5.2", unsigned, .error),
    "payload": Self("RFC 7515, 5.2; OpenID Connect Core 1.0, 3.1.3.7", unsigned, .error),
    "limit": Self("RFC 7515, 5.2", unsigned, .error),
    "time": Self(
      "RFC 7519, 4.1.4; OpenID Connect Core 1.0, 3.1.3.7", "an ID token counts beyond its time",
      .warning),
    "issuer": Self(
      "OpenID Connect Core 1.0, 3.1.3.7", "any name may sign in with this provider's key", .error),
    "audience": Self(
      "OpenID Connect Core 1.0, 3.1.3.7", "an ID token for another client signs in", .error),
  ]
}
