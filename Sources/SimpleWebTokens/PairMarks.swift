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
    ByteMarks.bits(token, at: start, ASCII.percent, ASCII.ampersand, ASCII.plus, ASCII.equals)
  }
}
