public import TokenBasics

extension TokenError.Code {
  /// The token names no audience.
  public static let audienceMissing = Self(
    "audience.missing",
    "the token does not say whom it is for",
    hint:
      "the issuer must restrict the audience; to accept it nevertheless, accept any audience")
  /// The token names another audience.
  public static let audienceMismatch = Self(
    "audience.mismatch",
    "the token is for another audience",
    hint:
      "if the name found is yours, add it to the accepted audiences; if not, "
      + "the token was issued for another service; names are compared byte for byte")
  /// No audience of this service is configured.
  public static let audienceNotConfigured = Self(
    "audience.not-configured",
    "no audience of this service is configured",
    hint:
      "add its name to the accepted audiences, or accept any audience")
  package static let audience: [Self] = [
    .audienceMissing,
    .audienceMismatch,
    .audienceNotConfigured,
  ]
}
