import Octets

extension Instant {
  /// Reads an `xs:dateTime` with a time zone (XML Schema Part 2, 3.2.7), which covers RFC 3339.
  ///
  /// Years 0001 to 9999; a fraction of any length, digits beyond nanoseconds cut off; `Z` or an
  /// offset up to ±14:00; `24:00:00` is the next midnight; no leap second. Callers collapse
  /// surrounding white space.
  ///
  /// - Throws: `time.malformed`.
  public init(dateTime text: String) throws(TokenError) {
    try self.init(dateTime: text.utf8.span)
  }

  /// As ``init(dateTime:)-(String)``, of UTF-8.
  ///
  /// - Throws: `time.malformed`.
  package init(dateTime text: Span<UInt8>) throws(TokenError) {
    guard let instant = Self(octets: text) else {
      throw TokenError(
        .malformedTime, expected: "a time such as 2030-01-01T12:00:00Z",
        found: TokenError.excerpt(Bytes.string(text)))
    }
    self = instant
  }

  private init?(octets text: Span<UInt8>) {
    var place = 0
    guard let year = text.number(digits: 4, &place), year > 0, text.take("-", &place),
      let month = text.number(digits: 2, &place), 1...12 ~= month, text.take("-", &place),
      let day = text.number(digits: 2, &place),
      1...CivilDate.length(ofMonth: month, year: year) ~= day, text.take("T", &place),
      let hour = text.number(digits: 2, &place), hour <= 24, text.take(":", &place),
      let minute = text.number(digits: 2, &place), minute <= 59, text.take(":", &place),
      let second = text.number(digits: 2, &place), second <= 59
    else { return nil }

    var nanoseconds: Int64 = 0
    var hasFraction = false
    if text.take(".", &place) {
      guard let fraction = text.fraction(&place) else { return nil }
      nanoseconds = fraction.nanoseconds
      hasFraction = !fraction.isZero
    }
    guard hour < 24 || (minute == 0 && second == 0 && !hasFraction) else { return nil }
    guard let offset = text.offset(&place), place == text.count else { return nil }

    let days = CivilDate.days(year: year, month: month, day: day)
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
    guard Self.secondsRange.contains(seconds) else { return nil }
    self.init(secondsSinceEpoch: seconds, nanoseconds: Int32(truncatingIfNeeded: nanoseconds))
  }

  /// RFC 3339 in UTC, with as many fraction digits as needed, such as `2030-01-01T12:00:00Z`.
  public var rfc3339: String { Self.text { writeRFC3339(to: &$0) } }

  /// UTC with exactly three fraction digits, as .NET writes claim values:
  /// `2030-01-01T12:00:00.000Z`.
  public var withMilliseconds: String { Self.text { writeWithMilliseconds(to: &$0) } }

  /// Writes ``withMilliseconds``.
  package func writeWithMilliseconds(to output: inout OutputSpan<UInt8>) {
    write(fraction: Int64(nanoseconds) / 1_000_000, digits: 3, to: &output)
  }

  /// The most bytes that ``writeRFC3339(to:)`` and ``writeWithMilliseconds(to:)`` write.
  package static var textLength: Int { 30 }

  /// Writes ``rfc3339``.
  package func writeRFC3339(to output: inout OutputSpan<UInt8>) {
    var digits = nanoseconds == 0 ? 0 : 9
    var fraction = nanoseconds
    while digits > 0, fraction % 10 == 0 {
      fraction /= 10
      digits -= 1
    }
    write(fraction: Int64(fraction), digits: digits, to: &output)
  }

  private static func text(_ write: (inout OutputSpan<UInt8>) -> Void) -> String {
    unsafe String(unsafeUninitializedCapacity: textLength) { buffer in
      var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
      write(&output)
      return unsafe output.finalize(for: buffer)
    }
  }

  private func write(fraction: Int64, digits: Int, to output: inout OutputSpan<UInt8>) {
    let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
    let date = CivilDate.date(days: days)
    let rest = seconds - days * 86_400
    Self.append(twoDigits: date.year / 100, to: &output)
    Self.append(twoDigits: date.year % 100, to: &output)
    output.append(UInt8(ascii: "-"))
    Self.append(twoDigits: date.month, to: &output)
    output.append(UInt8(ascii: "-"))
    Self.append(twoDigits: date.day, to: &output)
    output.append(UInt8(ascii: "T"))
    Self.append(twoDigits: rest / 3600, to: &output)
    output.append(UInt8(ascii: ":"))
    Self.append(twoDigits: rest / 60 % 60, to: &output)
    output.append(UInt8(ascii: ":"))
    Self.append(twoDigits: rest % 60, to: &output)
    if digits > 0 {
      output.append(UInt8(ascii: "."))
      var power: Int64 = 1
      for _ in 1..<digits { power *= 10 }
      while power > 0 {
        Self.append(digit: fraction / power % 10, to: &output)
        power /= 10
      }
    }
    output.append(UInt8(ascii: "Z"))
  }

  private static func append(twoDigits number: Int64, to output: inout OutputSpan<UInt8>) {
    append(digit: number / 10, to: &output)
    append(digit: number % 10, to: &output)
  }

  private static func append(digit: Int64, to output: inout OutputSpan<UInt8>) {
    output.append(UInt8(truncatingIfNeeded: digit) &+ UInt8(ascii: "0"))
  }
}

/// The parts of a time, read from a text at `place`.
extension Span<UInt8> {
  @inline(__always)
  fileprivate func take(_ character: Unicode.Scalar, _ place: inout Int) -> Bool {
    guard place < count, UInt32(self[place]) == character.value else { return false }
    place += 1
    return true
  }

  @inline(__always)
  fileprivate func number(digits: Int, _ place: inout Int) -> Int64? {
    guard count - place >= digits else { return nil }
    var value: Int64 = 0
    for index in place..<place + digits {
      guard ASCII.isDigit(self[index]) else { return nil }
      value = value * 10 + Int64(self[index] - 0x30)
    }
    place += digits
    return value
  }

  fileprivate func fraction(_ place: inout Int) -> (nanoseconds: Int64, isZero: Bool)? {
    var nanoseconds: Int64 = 0
    var scale: Int64 = 100_000_000
    var isZero = true
    let start = place
    while place < count, ASCII.isDigit(self[place]) {
      let digit = Int64(self[place] - 0x30)
      if digit != 0 { isZero = false }
      nanoseconds += digit * scale
      scale /= 10
      place += 1
    }
    return place == start ? nil : (nanoseconds, isZero)
  }

  /// Seconds east of UTC.
  fileprivate func offset(_ place: inout Int) -> Int64? {
    if take("Z", &place) { return 0 }
    let sign: Int64 = take("+", &place) ? 1 : -1
    guard sign == 1 || take("-", &place) else { return nil }
    guard let hours = number(digits: 2, &place), take(":", &place),
      let minutes = number(digits: 2, &place), minutes <= 59,
      hours < 14 || (hours == 14 && minutes == 0)
    else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }
}

/// The proleptic Gregorian calendar.
enum CivilDate {
  /// Days from 1970-01-01 to a date, counting from March so that the leap day comes last.
  static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The date `days` days after 1970-01-01.
  static func date(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let days = days + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }

  /// The number of days of a month.
  static func length(ofMonth month: Int64, year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension Instant {
  /// Reads a date of HTTP (RFC 9110, 5.6.7) in any of its three forms: `Sun, 06 Nov 1994 08:49:37 GMT`, and those of
  /// RFC 850 and asctime. Nil for anything else.
  ///
  /// A year of two digits is the one that is not more than 50 years ahead of `now`.
  package init?(httpDate text: String, now: Instant) {
    var words = text.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
    guard let day = words.first?.prefix(3), Self.days.contains(String(day)) else { return nil }
    words.removeFirst()
    // RFC 850 joins day, month and year.
    if let first = words.first, first.contains("-") {
      let parts = first.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 3 else { return nil }
      words.replaceSubrange(0..<1, with: parts)
    }
    guard words.count == 4 || words.count == 5 else { return nil }
    // asctime: Nov 6 08:49:37 1994
    if words.count == 4 {
      words = [words[1], words[0], words[3], words[2], "GMT"]
    }
    guard words[4] == "GMT", let month = Self.months.firstIndex(of: words[1]),
      let date = Self.number(words[0]), var year = Self.number(words[2])
    else { return nil }
    if words[2].utf8.count == 2 {
      let current = Int(now.seconds / 31_556_952) + 1970
      year += current / 100 * 100
      if year > current + 50 { year -= 100 }
    }
    func padded(_ number: Int, _ length: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, length - digits.utf8.count)) + digits
    }
    let dateTime = "\(padded(year, 4))-\(padded(month + 1, 2))-\(padded(date, 2))T\(words[3])Z"
    guard words[3].utf8.count == 8, let instant = try? Instant(dateTime: dateTime) else {
      return nil
    }
    self = instant
  }

  private static let days: Set<String> = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func number(_ text: String) -> Int? {
    text.utf8.count <= 4 && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }
}
