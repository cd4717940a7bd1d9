import Octets

/// Finds the octets of a token that mean something, `%`, `&`, `+` and `=`, one after the other.
struct PairMarks {
  /// Which of the 64 octets before `end` are still to be told, the first of them lowest.
  private var marks: UInt64 = 0
  private var end = 0

  /// Where the next one stands, or where the token ends.
  @inline(__always)
  mutating func next(in token: Span<UInt8>) -> Int {
    while marks == 0 {
      guard end < token.count else { return token.count }
      marks = Self.marks(token, at: end)
      end &+= 64
    }
    defer { marks &= marks &- 1 }
    return end &- 64 &+ marks.trailingZeroBitCount
  }

  private static func marks(_ token: Span<UInt8>, at start: Int) -> UInt64 {
    guard token.count &- start >= 64 else { return lastMarks(token, from: start) }
    return block(token, start) | block(token, start &+ 16) &<< 16
      | block(token, start &+ 32) &<< 32 | block(token, start &+ 48) &<< 48
  }

  @inline(__always)
  private static func block(_ token: Span<UInt8>, _ start: Int) -> UInt64 {
    ByteVector.bits(areMarks(ByteVector.load(token, at: start)))
  }

  /// Of less than 64 octets.
  private static func lastMarks(_ token: Span<UInt8>, from start: Int) -> UInt64 {
    var marks: UInt64 = 0
    var index = start
    while token.count &- index >= 16 {
      marks |= block(token, index) &<< UInt64(truncatingIfNeeded: index &- start)
      index &+= 16
    }
    while index < token.count {
      if isMark(token[index]) { marks |= 1 &<< UInt64(truncatingIfNeeded: index &- start) }
      index &+= 1
    }
    return marks
  }

  private static func isMark(_ octet: UInt8) -> Bool {
    octet == ASCII.percent || octet == ASCII.ampersand || octet == ASCII.plus
      || octet == ASCII.equals
  }

  @inline(__always)
  private static func areMarks(_ octets: SIMD16<UInt8>) -> SIMD16<UInt8> {
    // `&` stands behind `%`.
    ByteVector.below(2, octets &- SIMD16(repeating: ASCII.percent))
      | ByteVector.equal(ASCII.plus, octets) | ByteVector.equal(ASCII.equals, octets)
  }
}
