public import Instants

/// The tokens of a person. Each exchange makes the ones before worthless.
public struct OPROTokens: Sendable {
  public let accessToken: Secret
  public let refreshToken: Secret?
  /// When the access token ends; nil where the server does not let tokens end.
  public let expires: Instant?

  public init(accessToken: Secret, refreshToken: Secret?, expires: Instant?) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.expires = expires
  }
}
