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
    // Without branches: which digit comes next cannot be foretold.
    let decimal = digit &- 0x30
    let letter = (digit | 0x20) &- 0x61
    let value = decimal < 10 ? decimal : letter &+ 10
    return decimal < 10 || letter < 6 ? value : nil
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? value &+ 0x30 : value &- 10 &+ 0x61
  }
}
