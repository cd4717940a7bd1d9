public import HTTPExchange
public import TokenBasics

/// The tokens that a refresh token gave. They belong in the session store and nowhere else.
public struct OpenIDTokens: Sendable {
  /// The access token, if the provider gave one.
  public let accessToken: Secret?
  /// When the access token ends, if the provider says so.
  public let accessTokenEnd: Instant?
  /// The refresh token to use from now on: a new one, or the same again.
  public let refreshToken: Secret
  /// The new ID token, if the provider gave one.
  public let idToken: Secret?
}
