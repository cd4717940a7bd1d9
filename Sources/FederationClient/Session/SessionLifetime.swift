/// How long a session may last here, whatever its credential says.
public struct SessionLifetime: Hashable, Sendable {
  /// Seconds without use after which the session ends; nil for never.
  public var idle: Int?
  /// Seconds after sign-in at which the session ends, used or not; nil for never.
  public var absolute: Int?

  /// A lifetime in seconds; nil for no end.
  public init(idle: Int? = nil, absolute: Int? = nil) {
    self.idle = idle
    self.absolute = absolute
  }

  /// As long as its credential can be renewed.
  public static let unlimited = Self()
}
