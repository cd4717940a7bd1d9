/// Where the present comes from, so that nothing but the edge reads a clock and tests own theirs.
public protocol TimeSource: Sendable {
  /// The present.
  var now: Instant { get }
  /// Returns after that long, or at once when the task is cancelled.
  func wait(_ duration: Duration) async
}
