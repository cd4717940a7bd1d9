import Octets

/// Which octets may stand in a token as it travels: printable ASCII but quotation marks.
enum PairOctets {
  /// Where the first stands that is not allowed.
  static func firstRefused(_ octets: Span<UInt8>) -> Int? {
    var index = 0
    var refused = SIMD16<UInt8>()
    while octets.count &- index >= 16 {
      refused |= areRefused(ByteVector.load(octets, at: index))
      index &+= 16
    }
    // One is there, or it may be among what is left.
    if !ByteVector.isNowhere(refused) { index = 0 }
    while index < octets.count, isAllowed(octets[index]) { index &+= 1 }
    return index < octets.count ? index : nil
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && byte != 0x22
  }

  /// Which of sixteen octets are not allowed.
  @inline(__always)
  private static func areRefused(_ octets: SIMD16<UInt8>) -> SIMD16<UInt8> {
    // Of octets without the highest bit, one less than 0 has it, and one more than 0x7F.
    let one = SIMD16<UInt8>(repeating: 1)
    return octets | (octets &- SIMD16(repeating: 0x21)) | (octets &+ one)
      | ((octets ^ SIMD16(repeating: 0x22)) &- one)
  }
}
