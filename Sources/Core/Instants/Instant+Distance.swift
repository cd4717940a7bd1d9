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
