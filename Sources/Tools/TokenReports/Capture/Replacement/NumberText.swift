import Octets

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
