public import TokenErrors

/// Watches what the network code does. The telemetry module logs, counts and traces; by default
/// nobody watches.
public protocol ActivityObserver: Sendable {
  /// Runs `body`, from its beginning to its end or error.
  func during<Value: Sendable>(
    _ activity: Activity, _ body: @Sendable () async throws(TokenError) -> Value
  ) async throws(TokenError) -> Value
  /// Something happened at once.
  func happened(_ activity: Activity)
  /// A quantity that goes up and down has this value now.
  func measured(_ activity: Activity, value: Double)
}

/// Watches nothing.
public struct NoObserver: ActivityObserver {
  /// An observer that does nothing.
  public init() {}

  /// Runs `body`.
  public func during<Value: Sendable>(
    _ activity: Activity, _ body: @Sendable () async throws(TokenError) -> Value
  ) async throws(TokenError) -> Value { try await body() }

  /// Does nothing.
  public func happened(_ activity: Activity) {}

  /// Does nothing.
  public func measured(_ activity: Activity, value: Double) {}
}
