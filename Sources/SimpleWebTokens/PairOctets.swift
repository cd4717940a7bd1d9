/// Which octets may stand in a token as it travels: printable ASCII but quotation marks.
enum PairOctets {
  /// Where the first stands that is not allowed.
  static func firstRefused(_ octets: Span<UInt8>) -> Int? {
    octets.indices.first { !isAllowed(octets[$0]) }
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && byte != 0x22
  }
}
