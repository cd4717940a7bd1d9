/// Base 16 (RFC 4648, section 8).
package enum Hex {
  /// `bytes` in lower-case hexadecimal digits.
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var digits: [UInt8] = []
    for byte in bytes { append(byte, to: &digits) }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Appends the two lower-case digits of `byte`.
  package static func append(_ byte: UInt8, to digits: inout [UInt8]) {
    digits.append(digit(byte >> 4))
    digits.append(digit(byte & 15))
  }

  /// The value of one hexadecimal digit of either case.
  package static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit &- UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit &- UInt8(ascii: "A") &+ 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit &- UInt8(ascii: "a") &+ 10
    default: nil
    }
  }

  /// The value of each byte that is a digit of either case, 255 for any other.
  package static let values: [UInt8] = (UInt8.min...UInt8.max).map { value($0) ?? .max }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? value &+ 0x30 : value &- 10 &+ 0x61
  }
}
