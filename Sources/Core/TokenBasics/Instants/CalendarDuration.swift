import Octets

/// An `xs:duration` (XML Schema Part 2, 3.2.6): months and seconds, which have no fixed ratio.
public struct CalendarDuration: Hashable, Sendable, CustomStringConvertible {
  /// Years and months, in months.
  public let months: Int64
  /// Days, hours, minutes and seconds, in seconds; fractions are cut off.
  public let seconds: Int64
  /// Whether the duration is negative.
  public let isNegative: Bool

  /// Reads `P1Y2M3DT4H5M6.7S`, each part of at most ten digits (`PT1393462294S` is genuine).
  ///
  /// Callers collapse surrounding white space.
  ///
  /// - Throws: `time.malformed-duration`.
  public init(_ text: String) throws(TokenError) {
    guard let duration = Self(bytes: Array(text.utf8)) else {
      throw TokenError(
        .malformedDuration, expected: "a duration such as PT6H", found: TokenError.excerpt(text))
    }
    self = duration
  }

  private init?(bytes: [UInt8]) {
    var rest = bytes[...]
    isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest.removeFirst() }
    guard rest.popFirst() == UInt8(ascii: "P"), !rest.isEmpty else { return nil }
    var months: Int64 = 0
    var seconds: Int64 = 0
    let date: [(UInt8, Int64)] = [
      (UInt8(ascii: "Y"), 12), (UInt8(ascii: "M"), 1), (UInt8(ascii: "D"), 86_400),
    ]
    for (letter, unit) in date {
      guard let number = Self.take(&rest, before: letter) else { continue }
      if unit < 86_400 { months += number * unit } else { seconds += number * unit }
    }
    if rest.first == UInt8(ascii: "T") {
      rest.removeFirst()
      guard !rest.isEmpty else { return nil }
      for (letter, unit) in [(UInt8(ascii: "H"), Int64(3600)), (UInt8(ascii: "M"), 60)] {
        if let number = Self.take(&rest, before: letter) { seconds += number * unit }
      }
      seconds += Self.take(&rest, before: UInt8(ascii: "S"), allowsFraction: true) ?? 0
    }
    guard rest.isEmpty else { return nil }
    self.months = months
    self.seconds = seconds
  }

  /// Removes a number from the front if `letter` follows it.
  private static func take(
    _ text: inout ArraySlice<UInt8>, before letter: UInt8, allowsFraction: Bool = false
  ) -> Int64? {
    let digits = text.prefix(while: ASCII.isDigit)
    guard (1...10).contains(digits.count) else { return nil }
    var rest = text.dropFirst(digits.count)
    if allowsFraction, rest.first == UInt8(ascii: ".") {
      let fraction = rest.dropFirst().prefix(while: ASCII.isDigit)
      guard !fraction.isEmpty else { return nil }
      rest = rest.dropFirst(1 + fraction.count)
    }
    guard rest.popFirst() == letter else { return nil }
    text = rest
    return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  /// The length in seconds, a month taken as 30 days; for comparing with a limit, never for a date.
  public var approximateSeconds: Int64 {
    let length = months * 2_592_000 + seconds
    return isNegative ? -length : length
  }

  /// The shortest lexical form with these months and seconds.
  public var description: String {
    guard months > 0 || seconds > 0 else { return "PT0S" }
    var text = isNegative ? "-P" : "P"
    if months >= 12 { text += "\(months / 12)Y" }
    if months % 12 > 0 { text += "\(months % 12)M" }
    if seconds >= 86_400 { text += "\(seconds / 86_400)D" }
    let rest = seconds % 86_400
    if rest > 0 { text += "T" }
    if rest >= 3600 { text += "\(rest / 3600)H" }
    if rest / 60 % 60 > 0 { text += "\(rest / 60 % 60)M" }
    if rest % 60 > 0 { text += "\(rest % 60)S" }
    return text
  }
}
