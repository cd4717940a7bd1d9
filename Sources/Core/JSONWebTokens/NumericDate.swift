import Octets
package import TokenBasics

/// A NumericDate (RFC 7519, 2): seconds since 1970-01-01T00:00:00Z as a JSON number, in any
/// spelling that JSON has for one (RFC 8259, 6): with a sign, a fraction, an exponent. Exact, not
/// through floating point.
package enum NumericDate {
  /// The instant that a JSON number denotes, truncated to nanoseconds; nil outside of the years 1
  /// to 9999.
  ///
  /// - Parameter number: A number by the grammar of JSON.
  package static func instant(_ number: Span<UInt8>) -> Instant? {
    // Almost always nothing but digits, and no more than twelve.
    if let seconds = digits(number) { return instant(seconds, 0) }
    return Decimal(number).flatMap { $0.isNegative ? before($0) : instant($0.units, $0.billionths) }
  }

  /// The instant that a JSON value denotes; nil for what is no number, and outside of the years 1
  /// to 9999.
  package static func instant(_ value: JSONValue) -> Instant? {
    guard case .number(let text) = value.kind else { return nil }
    return instant(text.utf8.span)
  }

  /// The error for a value that is no NumericDate.
  ///
  /// - Parameter found: The text of the number, or the kind of another value.
  static func error(_ name: StaticString, isNumber: Bool, found: String) -> TokenError {
    guard isNumber else {
      return TokenError(
        .malformedTime, node: "\(name)", expected: "a number", found: found,
        hint: "a time is a JSON number of seconds since 1970, without quotes (RFC 7519, 2)")
    }
    return TokenError(
      .malformedTime, node: "\(name)", expected: "seconds since 1970, at most year 9999",
      found: String(found.prefix(64)), hint: finerUnit(found))
  }

  /// What to say about a number that is a time of this century in a finer unit.
  private static func finerUnit(_ text: String) -> String {
    let century = 946_684_800..<4_102_444_800
    let units = [
      ("milliseconds", 1_000), ("microseconds", 1_000_000), ("nanoseconds", 1_000_000_000),
    ]
    guard let number = Decimal(text.utf8.span), !number.isNegative,
      let (unit, factor) = units.first(where: { century.contains(Int(number.units) / $0.1) })
    else { return "a time is a JSON number of seconds since 1970 (RFC 7519, 2)" }
    let instant = Instant(secondsSinceEpoch: number.units / Int64(factor))
    return "the number is one of \(unit), \(instant.rfc3339), where RFC 7519, 2 has seconds: the "
      + "issuer must "
      + "divide it by \(factor)"
  }

  private static func digits(_ text: Span<UInt8>) -> Int64? {
    guard (1...12).contains(text.count) else { return nil }
    var seconds: Int64 = 0
    for index in text.indices {
      guard ASCII.isDigit(text[index]) else { return nil }
      seconds = seconds &* 10 &+ Int64(text[index] &- UInt8(ascii: "0"))
    }
    return seconds
  }

  private static func instant(_ seconds: Int64, _ nanoseconds: Int32) -> Instant? {
    guard Instant.secondsRange.contains(seconds) else { return nil }
    return Instant(secondsSinceEpoch: seconds, nanoseconds: nanoseconds)
  }

  /// An instant before 1970. Seconds are rounded down, so that a fraction counts from the second
  /// before.
  private static func before(_ number: Decimal) -> Instant? {
    guard number.billionths > 0 else { return instant(-number.units, 0) }
    return instant(-number.units - 1, 1_000_000_000 - number.billionths)
  }
}

/// The whole part and the first nine decimal places of a JSON number.
private struct Decimal {
  var isNegative = false
  /// At most ``most``.
  private(set) var units: Int64 = 0
  private(set) var billionths: Int32 = 0

  /// Above any time in nanoseconds of this century.
  private static let most: Int64 = 9_000_000_000_000_000_000

  /// Nil for what is no number, and for one whose whole part is above ``most``.
  init?(_ text: Span<UInt8>) {
    var index = 0
    if text.count > 0, text[0] == UInt8(ascii: "-") {
      isNegative = true
      index = 1
    }
    let start = index
    var point: Int?
    while index < text.count, ASCII.isDigit(text[index]) || text[index] == UInt8(ascii: ".") {
      if text[index] == UInt8(ascii: ".") {
        guard point == nil else { return nil }
        point = index
      }
      index += 1
    }
    let end = index
    guard end > start, let exponent = Self.exponent(text, from: end) else { return nil }
    // Where the units end, counted in digits from `start`; far beyond either end it makes no
    // difference.
    let scale = (point ?? end) - start + exponent
    guard read(text, start..<end, scale) else { return nil }
  }

  /// Adds the digits, of which the first `scale` are whole ones. Returns whether they fit.
  private mutating func read(_ text: Span<UInt8>, _ range: Range<Int>, _ scale: Int) -> Bool {
    var place = 0
    var weight: Int32 = 100_000_000
    // Leading decimal places that are not written.
    for _ in 0..<min(max(-scale, 0), 10) { weight /= 10 }
    for index in range where text[index] != UInt8(ascii: ".") {
      let digit = text[index] &- UInt8(ascii: "0")
      if place < scale {
        guard append(digit) else { return false }
      } else {
        billionths += weight * Int32(digit)
        weight /= 10
      }
      place += 1
    }
    // Zeros that are not written; of nothing but zeros any number is zero.
    while place < scale, units > 0 {
      guard append(0) else { return false }
      place += 1
    }
    return true
  }

  private mutating func append(_ digit: UInt8) -> Bool {
    guard units < Self.most / 10 else { return false }
    units = units * 10 + Int64(digit)
    return true
  }

  /// The exponent, 0 where none is written; at most a billion either way.
  private static func exponent(_ text: Span<UInt8>, from start: Int) -> Int? {
    guard start < text.count else { return 0 }
    guard ASCII.lowercased(text[start]) == UInt8(ascii: "e"), start + 1 < text.count else {
      return nil
    }
    let hasSign = text[start + 1] == ASCII.plus || text[start + 1] == UInt8(ascii: "-")
    var index = start + (hasSign ? 2 : 1)
    guard index < text.count else { return nil }
    var value = 0
    while index < text.count {
      guard ASCII.isDigit(text[index]) else { return nil }
      value = min(value * 10 + Int(text[index] &- UInt8(ascii: "0")), 1_000_000_000)
      index += 1
    }
    return text[start + 1] == UInt8(ascii: "-") ? -value : value
  }
}
