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
  @inline(__always)
  package static func value(_ digit: UInt8) -> UInt8? {
    isDigit(digit) == 1 ? quickValue(digit) : nil
  }

  /// The value of each byte that is a digit of either case, 255 for any other.
  static let values: [UInt8] = (UInt8.min...UInt8.max).map { value($0) ?? .max }

  /// 1 for a digit, 0 for anything else, without a branch: which digit comes next cannot be foretold.
  /// The digits of ASCII as bits: 0 to 9 of the first 64 codes, A to F and a to f of the next.
  @inline(__always)
  private static func isDigit(_ byte: UInt8) -> UInt64 {
    let digits: UInt64 = byte & 0x40 == 0 ? 0x03FF_0000_0000_0000 : 0x0000_007E_0000_007E
    return digits &>> UInt64(byte & 0x3F) & 1 & ~(UInt64(byte) &>> 7)
  }

  /// The value of what is a digit: a letter has bit 6.
  @inline(__always)
  private static func quickValue(_ digit: UInt8) -> UInt8 { digit & 0xF &+ 9 &* (digit &>> 6) }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? value &+ 0x30 : value &- 10 &+ 0x61
  }
}
