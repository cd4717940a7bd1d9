import Octets

/// Octets behind escapes, which are written again in the form that each had.
struct EscapedText {
  enum Form {
    case literal
    /// Stays as it is written, whatever it stands for.
    case verbatim([UInt8])
    case percent(isLower: Bool)
    case decimalReference(digits: Int)
    case hexadecimalReference(digits: Int, isLower: Bool)
    case jsonUnicode(isLower: Bool)
    /// A backslash and a character that makes no escape of JSON with it.
    case backslash
  }

  private(set) var decoded: [UInt8] = []
  private var units: [(form: Form, count: Int)] = []

  mutating func append(_ octets: some Collection<UInt8>, _ form: Form) {
    decoded += octets
    units.append((form, octets.count))
  }

  mutating func append(_ other: EscapedText) {
    decoded += other.decoded
    units += other.units
  }

  /// Other octets of the same number, in the same forms.
  func encoding(_ octets: [UInt8]) -> [UInt8] {
    guard octets.count == decoded.count else { return [] }
    var result: [UInt8] = []
    result.reserveCapacity(octets.count)
    var place = 0
    for (form, count) in units {
      let part = octets[place..<(place + count)]
      place += count
      if case .literal = form { result += part } else { result += Self.encoded(part, form) }
    }
    return result
  }

  private static func encoded(_ part: ArraySlice<UInt8>, _ form: Form) -> [UInt8] {
    let scalar = String(decoding: part, as: UTF8.self).unicodeScalars.first?.value ?? 0
    switch form {
    case .literal: return Array(part)
    case .verbatim(let source): return source
    case .percent(let isLower):
      return [ASCII.percent] + HexDigits.encode(part, isLower: isLower)
    case .decimalReference(let digits):
      return Array("&#\(padded(String(scalar), digits));".utf8)
    case .hexadecimalReference(let digits, let isLower):
      return Array(
        "&#x\(padded(String(scalar, radix: 16, uppercase: !isLower), digits));".utf8)
    case .jsonUnicode(let isLower):
      return String(decoding: part, as: UTF8.self).utf16.flatMap { unit in
        "\\u\(padded(String(unit, radix: 16, uppercase: !isLower), 4))".utf8
      }
    case .backslash:
      let made = part.first ?? 0
      return [UInt8(ascii: "\\"), jsonEscapes.keys.contains(made) ? UInt8(ascii: "q") : made]
    }
  }

  /// What the characters behind a backslash stand for in JSON; those of `\u` follow it.
  static let jsonEscapes: [UInt8: UInt8] = [
    UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "\""): UInt8(ascii: "\""),
    UInt8(ascii: "\\"): UInt8(ascii: "\\"), UInt8(ascii: "/"): UInt8(ascii: "/"),
    UInt8(ascii: "u"): UInt8(ascii: "u"),
  ]

  private static func padded(_ text: String, _ digits: Int) -> String {
    String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}
