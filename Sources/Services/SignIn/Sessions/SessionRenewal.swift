public import HTTPExchange
public import TokenBasics

/// What reads the claims of a session anew.
public struct SessionRenewal: Sendable {
  /// The refresh token that the provider gave last (RFC 6749, 1.5).
  public let refreshToken: Secret
  /// When the claims are to be read anew.
  public let due: Instant

  /// A renewal that is due then.
  public init(_ refreshToken: Secret, due: Instant) {
    self.refreshToken = refreshToken
    self.due = due
  }
}
