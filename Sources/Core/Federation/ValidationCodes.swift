public import TokenBasics

extension TokenError.Code {
  /// The codes of parsing, validating and minting tokens, of keys, and of trust files and metadata, family by
  /// family.
  public static let validationCodes: [Self] = [
    input, xml, signature, key, algorithm, encryption, issuer, audience, time, subject, response,
    replay, disclosure, binding, possession, policy,
  ].flatMap(\.self)
}
