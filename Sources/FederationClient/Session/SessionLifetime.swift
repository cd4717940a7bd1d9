/// The limits of a session on this side, regardless of its credential.
public struct SessionLifetime: Hashable, Sendable {
  /// Seconds without use after which the session ends; nil for never.
  public var idle: Int?
  /// Seconds after sign-in at which the session ends, used or not; nil for never.
  public var absolute: Int?

  /// Limits in seconds; nil for none.
  public init(idle: Int? = nil, absolute: Int? = nil) {
    self.idle = idle
    self.absolute = absolute
  }

  /// No limits: the session lasts as long as its credential can be renewed.
  public static let unlimited = Self()
}
