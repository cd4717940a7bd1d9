public import TokenErrors

extension TokenError.Code {
  /// The token names no audience.
  public static let audienceMissing = Self(
    "audience.missing",
    "the token does not say whom it is for",
    hint:
      "the issuer must restrict the audience; --allow-any-audience accepts it")
  /// The token names another audience.
  public static let audienceMismatch = Self(
    "audience.mismatch",
    "the token is for another audience",
    hint:
      "if the name found is yours, give it as --audience or among the trust file's audiences; if not, "
      + "the token was issued for another service; names are compared byte for byte")
  /// No audience of this service is configured.
  public static let audienceNotConfigured = Self(
    "audience.not-configured",
    "no audience of this service is configured",
    hint:
      "name it with --audience or in the trust file, or accept any with "
      + "--allow-any-audience")
  package static let audience: [Self] = [
    .audienceMissing,
    .audienceMismatch,
    .audienceNotConfigured,
  ]
}
