import Octets

/// Hexadecimal digits in the case that a text has.
enum HexDigits {
  static func encode(_ octets: some Sequence<UInt8>, isLower: Bool) -> [UInt8] {
    Array(Hex.encode(octets).utf8).map { isLower || ASCII.isDigit($0) ? $0 : $0 & 0xDF }
  }
}
