#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The machine's clock.
public struct SystemTime: TimeSource {
  public init() {}

  public var now: Instant {
    var time = timespec()
    // Cannot fail: the clock exists and the address is valid.
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Instant(
      secondsSinceEpoch: Int64(time.tv_sec), nanoseconds: Int32(truncatingIfNeeded: time.tv_nsec))
  }

  public func wait(_ duration: Duration) async { try? await Task.sleep(for: duration) }
}
