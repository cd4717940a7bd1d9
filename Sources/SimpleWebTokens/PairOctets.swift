import Octets

/// Which octets may stand in a token as it travels: printable ASCII but quotation marks.
enum PairOctets {
  @inline(__always)
  static func isAllowed(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F && byte != 0x22 }

  /// Where the first stands that is not allowed.
  static func firstRefused(_ octets: Span<UInt8>) -> Int? {
    var index = 0
    while octets.count &- index >= 16, areAllowed(ByteVector.load(octets, at: index)) {
      index &+= 16
    }
    // What is left, or the sixteen with one that is refused.
    while index < octets.count, isAllowed(octets[index]) { index &+= 1 }
    return index < octets.count ? index : nil
  }

  @inline(__always)
  private static func areAllowed(_ bytes: SIMD16<UInt8>) -> Bool {
    ByteVector.isNowhere(
      bytes | ByteVector.below(0x21, bytes) | ByteVector.equal(0x22, bytes)
        | ByteVector.equal(0x7F, bytes))
  }
}
