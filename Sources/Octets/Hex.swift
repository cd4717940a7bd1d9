/// Base 16 (RFC 4648, section 8).
package enum Hex {
  /// `bytes` in lower-case hexadecimal digits.
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var digits: [UInt8] = []
    for byte in bytes {
      digits.append(digit(byte >> 4))
      digits.append(digit(byte & 15))
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// The value of one hexadecimal digit of either case.
  package static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit &- 0x30
    case 0x41...0x46: digit &- 0x41 &+ 10
    case 0x61...0x66: digit &- 0x61 &+ 10
    default: nil
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? value &+ 0x30 : value &- 10 &+ 0x61
  }
}
