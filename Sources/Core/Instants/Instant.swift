/// A point in time: seconds since 1970-01-01T00:00:00Z, leap seconds not counted, and nanoseconds.
///
/// Integers, so that no comparison can be a NaN and no boundary is rounded. Years 1 to 9999.
public struct Instant: BitwiseCopyable, Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Whole seconds since the epoch, rounded down.
  public let seconds: Int64
  /// Nanoseconds after ``seconds``: 0 to 999,999,999.
  public let nanoseconds: Int32

  /// The first instant of year 1 and the last whole second of year 9999.
  package static let secondsRange: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// The instant `seconds` after the epoch; clamped to the years 1 to 9999.
  public init(secondsSinceEpoch seconds: Int64, nanoseconds: Int32 = 0) {
    self.seconds = min(max(seconds, Self.secondsRange.lowerBound), Self.secondsRange.upperBound)
    self.nanoseconds = min(max(nanoseconds, 0), 999_999_999)
  }

  /// The instant as RFC 3339 writes it, such as `2026-11-23T12:00:00Z`.
  public var description: String { rfc3339 }

  /// Whether `left` is earlier than `right`: seconds first, then nanoseconds.
  public static func < (left: Self, right: Self) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }

  /// The instant `seconds` later (earlier when negative); clamped to the years 1 to 9999.
  public func advanced(bySeconds seconds: Int64) -> Self {
    let (sum, overflow) = self.seconds.addingReportingOverflow(seconds)
    if overflow { return Self(secondsSinceEpoch: seconds < 0 ? .min : .max) }
    return Self(secondsSinceEpoch: sum, nanoseconds: nanoseconds)
  }

  /// Milliseconds from `other` to this instant, for display, never for a decision.
  public func milliseconds(since other: Self) -> Int64 {
    (seconds - other.seconds) * 1000 + Int64(nanoseconds - other.nanoseconds) / 1_000_000
  }
}
