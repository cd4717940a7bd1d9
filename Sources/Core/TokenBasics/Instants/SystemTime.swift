#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The operating system's clock.
public struct SystemTime: TimeSource {
  /// The system clock; it has no settings.
  public init() {}

  /// The system's real-time clock (`CLOCK_REALTIME`), which an administrator can set.
  public var now: Instant {
    var time = timespec()
    // Cannot fail: the clock exists and the address is valid.
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Instant(
      secondsSinceEpoch: Int64(time.tv_sec), nanoseconds: Int32(truncatingIfNeeded: time.tv_nsec))
  }

  /// Sleeps for `duration` on the continuous clock; returns at once when the task is cancelled.
  public func wait(_ duration: Duration) async { try? await Task.sleep(for: duration) }
}

/// A clock, passed in: only the outermost code reads the system's, and tests supply their own.
public protocol TimeSource: Sendable {
  /// The current time.
  var now: Instant { get }
  /// Returns after `duration`, or at once when the task is cancelled.
  func wait(_ duration: Duration) async
}
