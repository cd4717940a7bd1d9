import Octets

/// Times, which stay so that their checks end as before; only what is recognised as one does.
enum TimeText {
  /// What a date and time of XML Schema or RFC 3339 becomes; nil for a text that is none.
  ///
  /// A field that no calendar has becomes 99, digits behind the milliseconds become others.
  static func dateTime(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var made: [UInt8] = []
    var rest = text
    for (index, field) in fields.enumerated() {
      if index > 0 {
        guard let separator = rest.popFirst(), separator == separators[index - 1] else {
          return nil
        }
        made.append(separator)
      }
      let digits = rest.prefix(field.digits)
      guard digits.count == field.digits, let value = number(digits) else { return nil }
      made += (field.range ~= value ? Array(digits) : Array("99".utf8))
      rest = rest.dropFirst(field.digits)
    }
    if rest.first == UInt8(ascii: ".") {
      let digits = rest.dropFirst().prefix { ASCII.isDigit($0) }
      made.append(UInt8(ascii: "."))
      // A zero stays one, so that a fraction is as near to the second as before.
      let others = ShapedText.random(digits.dropFirst(3).map { _ in UInt8(ascii: "5") })
      made += digits.prefix(3)
      for (digit, other) in zip(digits.dropFirst(3), others) {
        made.append(digit == UInt8(ascii: "0") ? digit : max(other, UInt8(ascii: "1")))
      }
      rest = rest.dropFirst(1 + digits.count)
    }
    guard let zone = zone(rest) else { return nil }
    return made + zone
  }

  private static let fields: [(digits: Int, range: ClosedRange<Int>)] = [
    (4, 0...9999), (2, 1...12), (2, 1...31), (2, 0...24), (2, 0...59), (2, 0...60),
  ]
  private static let separators = Array("--T::".utf8)

  private static func zone(_ rest: ArraySlice<UInt8>) -> [UInt8]? {
    if rest.isEmpty || rest.elementsEqual("Z".utf8) { return Array(rest) }
    guard rest.count == 6, let sign = rest.first,
      sign == ASCII.plus || sign == UInt8(ascii: "-"),
      rest[rest.startIndex + 3] == UInt8(ascii: ":"),
      let hours = number(rest.dropFirst().prefix(2)), let minutes = number(rest.suffix(2))
    else { return nil }
    return hours < 15 && minutes < 60 ? Array(rest) : [sign] + Array("99:99".utf8)
  }

  /// What a number of seconds becomes.
  ///
  /// Whole seconds from 2001 to 2106 stay, with three digits behind them, also where an exponent moves the
  /// point. Any other number keeps its sign, its zeros in front, two digits, the number of the others and a
  /// short exponent.
  static func seconds(_ text: ArraySlice<UInt8>) -> [UInt8] {
    let sign = text.prefix { $0 == UInt8(ascii: "-") || $0 == ASCII.plus }
    let zeros = text.dropFirst(sign.count).prefix { $0 == UInt8(ascii: "0") }
    let start = sign.count + zeros.count
    let digits = text.dropFirst(start).prefix { ASCII.isDigit($0) }
    let tail = text.dropFirst(start + digits.count)
    if let kept = keptCount(digits, tail) {
      let rest = text.dropFirst(start + kept)
      let moved = rest.prefix { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
      return text.prefix(start + kept) + ShapedText.random(Array(moved))
        + NumberText.another(ofTail: rest.dropFirst(moved.count))
    }
    return sign + zeros + digits.prefix(2) + ShapedText.random(Array(digits.dropFirst(2)))
      + NumberText.another(ofTail: tail)
  }

  /// How many octets are the seconds and milliseconds of a time between 2001 and 2106.
  private static func keptCount(_ digits: ArraySlice<UInt8>, _ tail: ArraySlice<UInt8>) -> Int? {
    let fraction =
      tail.first == UInt8(ascii: ".") ? tail.dropFirst().prefix { ASCII.isDigit($0) } : []
    let behind = tail.dropFirst(fraction.isEmpty ? 0 : 1 + fraction.count)
    var moved = 0
    if let first = behind.first, first | 0x20 == UInt8(ascii: "e") {
      let exponent = behind.dropFirst().drop { $0 == ASCII.plus }
      guard exponent.count <= 2, let places = number(exponent) else { return nil }
      moved = places
    } else if !behind.isEmpty {
      return nil
    }
    let all = digits + fraction
    let zeros = [UInt8](repeating: 0x30, count: max(0, digits.count + moved - all.count))
    guard let value = number(all.prefix(digits.count + moved) + zeros),
      (1_000_000_000...4_294_967_295).contains(value)
    else { return nil }
    let kept = min(all.count, digits.count + moved + 3)
    return kept > digits.count ? kept + 1 : kept
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard digits.count <= 10, digits.allSatisfy(ASCII.isDigit) else { return nil }
    return digits.isEmpty ? nil : digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}

/// Numbers of JSON in the shape of others.
enum NumberText {
  /// A number in place of another, or nil for a text that is none.
  ///
  /// - Parameter made: The text with its letters and digits replaced.
  static func shaping(_ made: [UInt8], like text: ArraySlice<UInt8>) -> [UInt8]? {
    let sign = text.prefix { $0 == UInt8(ascii: "-") }
    let digits = text.dropFirst(sign.count).prefix { ASCII.isDigit($0) }
    guard made.count == text.count, sign.count < 2, let first = digits.first else { return nil }
    var whole = Array(made[sign.count..<(sign.count + digits.count)])
    // No number begins with more zeros than before, or with fewer.
    if first == UInt8(ascii: "0") {
      whole[0] = first
    } else if whole[0] == UInt8(ascii: "0") {
      whole[0] = first == UInt8(ascii: "1") ? UInt8(ascii: "2") : UInt8(ascii: "1")
    }
    return sign + whole + another(ofTail: text.dropFirst(sign.count + digits.count))
  }

  /// What follows the whole digits: a fraction becomes another, an exponent of at most three digits stays.
  static func another(ofTail tail: ArraySlice<UInt8>) -> [UInt8] {
    let end =
      tail.first == UInt8(ascii: ".")
      ? tail.dropFirst().firstIndex { !ASCII.isDigit($0) } ?? tail.endIndex : tail.startIndex
    let fraction = tail[..<end]
    let isZero = fraction.allSatisfy { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "0") }
    return (isZero ? Array(fraction) : ShapedText.random(Array(fraction))) + exponent(tail[end...])
  }

  private static func exponent(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard let first = text.first, first | 0x20 == UInt8(ascii: "e") else {
      return ShapedText.random(Array(text))
    }
    let rest = text.dropFirst()
    let sign = rest.prefix { $0 == UInt8(ascii: "-") || $0 == ASCII.plus }.prefix(1)
    let digits = rest.dropFirst(sign.count)
    let isShort = digits.count <= 3 && digits.allSatisfy(ASCII.isDigit)
    return [first] + sign + (isShort ? Array(digits) : ShapedText.random(Array(digits)))
  }
}
