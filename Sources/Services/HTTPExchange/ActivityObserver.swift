public import TokenErrors

/// Receives the activities of the network code. The telemetry module logs, counts and traces them; the
/// default is ``NoObserver``.
public protocol ActivityObserver: Sendable {
  /// Runs `body` as an activity with a duration and returns its result.
  /// - Throws: Errors of `body`.
  func during<Value: Sendable>(
    _ activity: Activity, _ body: @Sendable () async throws(TokenError) -> Value
  ) async throws(TokenError) -> Value
  /// Records an event without a duration.
  func happened(_ activity: Activity)
  /// Records the current value of a quantity (a gauge).
  func measured(_ activity: Activity, value: Double)
}

/// An observer that ignores all activities.
public struct NoObserver: ActivityObserver {
  /// An observer without state.
  public init() {}

  /// Runs `body` only.
  /// - Throws: Errors of `body`.
  public func during<Value: Sendable>(
    _ activity: Activity, _ body: @Sendable () async throws(TokenError) -> Value
  ) async throws(TokenError) -> Value { try await body() }

  /// Does nothing.
  public func happened(_ activity: Activity) {}

  /// Does nothing.
  public func measured(_ activity: Activity, value: Double) {}
}
