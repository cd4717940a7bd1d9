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

  /// The time since the machine started, including sleep (`CLOCK_BOOTTIME` on Linux). Nobody can set it.
  public var uptime: Duration {
    var time = timespec()
    #if canImport(Darwin)
      _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    #else
      _ = unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    #endif
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }

  /// Sleeps for `duration` on the continuous clock; returns at once when the task is cancelled.
  public func wait(_ duration: Duration) async { try? await Task.sleep(for: duration) }
}

/// A clock, passed in: only the outermost code reads the system's, and tests supply their own.
public protocol TimeSource: Sendable {
  /// The current time.
  var now: Instant { get }
  /// The time since any moment by a monotonic clock: pauses and time limits are measured with it, so that a
  /// corrected clock neither stops nor hurries them. By default it is ``now``, for clocks that only tests advance.
  var uptime: Duration { get }
  /// Returns after `duration`, or at once when the task is cancelled.
  func wait(_ duration: Duration) async
}

extension TimeSource {
  /// The seconds and nanoseconds of ``now``.
  public var uptime: Duration { .seconds(now.seconds) + .nanoseconds(Int64(now.nanoseconds)) }
}
