import Octets

/// Which octets may stand in a token as it travels: printable ASCII but quotation marks.
enum PairOctets {
  @inline(__always)
  static func isAllowed(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F && byte != 0x22 }

  /// Where the first stands that is not allowed.
  static func firstRefused(_ octets: Span<UInt8>) -> Int? {
    var index = 0
    while index < octets.count {
      if octets.count &- index >= ByteLanes.count, areAllowed(ByteLanes.word(octets, at: index)) {
        index &+= ByteLanes.count
        continue
      }
      let end = min(index &+ ByteLanes.count, octets.count)
      while index < end {
        guard isAllowed(octets[index]) else { return index }
        index &+= 1
      }
    }
    return nil
  }

  @inline(__always)
  private static func areAllowed(_ word: UInt64) -> Bool {
    word & ByteLanes.highBits | ByteLanes.below(0x21, word) | ByteLanes.equal(0x22, word)
      | ByteLanes.equal(0x7F, word) == 0
  }
}
