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

extension Instant {
  /// The time from `other` to this instant in the units of people, never negative: the two largest, such as
  /// `9 years 64 days`, `2 hours 5 minutes` or `12 seconds`, and below a second `0.250 seconds`.
  ///
  /// Years are those of the calendar.
  public func distance(after other: Self) -> String {
    guard self > other else { return "0 seconds" }
    let years = years(since: other)
    let start = years > 0 ? other.sameDay(yearsLater: years) : other
    let milliseconds = max(0, milliseconds(since: start))
    let seconds = milliseconds / 1000
    if years > 0 { return Self.words((years, "year"), (seconds / 86_400, "day")) }
    if seconds >= 86_400 {
      return Self.words((seconds / 86_400, "day"), (seconds / 3600 % 24, "hour"))
    }
    if seconds >= 3600 {
      return Self.words((seconds / 3600, "hour"), (seconds / 60 % 60, "minute"))
    }
    if seconds >= 60 { return Self.words((seconds / 60, "minute"), (seconds % 60, "second")) }
    if seconds > 0 { return Self.words((seconds, "second"), (0, "")) }
    return "0." + String(1000 + milliseconds).dropFirst() + " seconds"
  }

  /// Whole years of the calendar.
  private func years(since other: Self) -> Int64 {
    let years = yearNumber - other.yearNumber
    return years > 0 && self < other.sameDay(yearsLater: years) ? years - 1 : years
  }

  private var yearNumber: Int64 { CivilDate.date(days: daysSinceEpoch).year }

  private var daysSinceEpoch: Int64 { (seconds - seconds.remainderOfDay) / 86_400 }

  /// The same day and time in a later year; for 29 February the 1 March, if that year has none.
  private func sameDay(yearsLater years: Int64) -> Self {
    let (year, month, day) = CivilDate.date(days: daysSinceEpoch)
    let days = CivilDate.days(year: year + years, month: month, day: day)
    return Self(
      secondsSinceEpoch: days * 86_400 + seconds.remainderOfDay, nanoseconds: nanoseconds)
  }

  private static func words(_ parts: (count: Int64, unit: String)...) -> String {
    parts.filter { $0.count > 0 }.map { "\($0.count) \($0.unit)\($0.count == 1 ? "" : "s")" }
      .joined(separator: " ")
  }
}

extension Int64 {
  /// Seconds since midnight.
  fileprivate var remainderOfDay: Int64 {
    let rest = self % 86_400
    return rest < 0 ? rest + 86_400 : rest
  }
}
