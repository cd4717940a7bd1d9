public import TokenBasics

extension TokenError.Code {
  /// The token names no issuer.
  public static let issuerMissing = Self(
    "issuer.missing",
    "the token names no issuer",
    hint:
      "the issuer must name itself")
  /// The issuer is not one that is trusted.
  public static let issuerUntrusted = Self(
    "issuer.untrusted",
    "the issuer is not one that is trusted",
    hint:
      "compare byte for byte: a trailing slash or another case is another issuer")
  /// Two entries of the trust vouch for one issuer in one format.
  public static let ambiguousIssuer = Self(
    "issuer.ambiguous",
    "two entries of the trust vouch for one issuer in one format",
    hint:
      "one issuer has one source of keys: put the keys into one entry, or give the entries formats "
      + "that do not overlap")
  /// The Response and its assertion name different issuers.
  public static let issuerMismatch = Self(
    "issuer.mismatch",
    "the Response and its assertion name different issuers",
    hint:
      "one party must not speak for another")
  /// The Issuer is not a plain entity identifier.
  public static let issuerFormat = Self(
    "issuer.format",
    "the Issuer is not a plain entity identifier",
    hint:
      "Format must be absent or entity, and no qualifiers (SAML Core 2.2.5)")
  package static let issuer: [Self] = [
    .issuerMissing,
    .issuerUntrusted,
    .ambiguousIssuer,
    .issuerMismatch,
    .issuerFormat,
  ]
}
