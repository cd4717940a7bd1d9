public import BrowserExchange
public import Instants

/// The tokens of a user. Each exchange invalidates the previous ones.
public struct OPROTokens: Sendable {
  /// The token for requests, of the scheme ``CredentialScheme/token``.
  public let accessToken: Secret
  /// The token for ``OPROGrant/refreshToken(_:)``, if the server issues any.
  public let refreshToken: Secret?
  /// The time at which the access token expires; nil if it does not.
  public let expires: Instant?

  /// Tokens that were stored.
  public init(accessToken: Secret, refreshToken: Secret?, expires: Instant?) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.expires = expires
  }
}
