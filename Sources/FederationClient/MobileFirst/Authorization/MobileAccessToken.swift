public import BrowserExchange
public import Instants

/// An access token of Mobile Foundation. Opaque: the client does not read its content.
public struct MobileAccessToken: Sendable {
  /// The token itself, sent as a bearer token (RFC 6750).
  public let value: Secret
  /// The requested scope, its elements sorted and separated by spaces.
  public let scope: String
  /// The time at which it expires, by this machine's clock.
  public let expires: Instant
}
