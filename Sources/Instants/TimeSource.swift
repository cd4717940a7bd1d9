/// A clock, passed in: only the outermost code reads the system's, and tests supply their own.
public protocol TimeSource: Sendable {
  /// The current time.
  var now: Instant { get }
  /// Returns after `duration`, or at once when the task is cancelled.
  func wait(_ duration: Duration) async
}
