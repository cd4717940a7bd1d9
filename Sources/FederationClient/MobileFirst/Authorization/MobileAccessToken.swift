public import Instants

/// An access token of Mobile Foundation. Opaque: what is in it is the server's business.
public struct MobileAccessToken: Sendable {
  public let value: Secret
  /// The scope it was asked for, its elements sorted.
  public let scope: String
  public let expires: Instant
}
