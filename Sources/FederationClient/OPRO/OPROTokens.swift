public import Instants

/// The tokens of a person. Each exchange makes the ones before worthless.
public struct OPROTokens: Sendable {
  /// The access token (RFC 6749, 1.4).
  public let accessToken: Secret
  /// The refresh token (RFC 6749, 1.5); nil where the server gave none.
  public let refreshToken: Secret?
  /// When the access token ends; nil where the server does not let tokens end.
  public let expires: Instant?

  /// The tokens of one grant.
  public init(accessToken: Secret, refreshToken: Secret?, expires: Instant?) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.expires = expires
  }
}
