public import TokenBasics

extension TokenError.Code {
  /// A request without an access token, or with one that is not good.
  public static let oauthAccessToken = Self(
    "oauth.access-token", "the access token is missing, over, or of another service",
    hint:
      "get a new one; it ends after ten minutes, when it is revoked, and when the person signs out")
  /// An access token without the scope that the address needs.
  public static let oauthInsufficientScope = Self(
    "oauth.insufficient-scope", "the access token lacks the scope that this needs",
    hint: "ask for the scope openid when the person signs in")
  /// The codes of addresses that take access tokens.
  public static let oauthCodes: [Self] = [.oauthAccessToken, .oauthInsufficientScope]
}
