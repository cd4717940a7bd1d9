public import COctets

/// Sixteen bytes that are tested at once.
///
/// The result of a test has the highest bit of a byte set where the byte matches; the other bits mean
/// nothing. Comparisons of the standard library's vectors go byte by byte, arithmetic does not.
public enum ByteVector {
  /// The sixteen bytes from `index` on.
  @inlinable @inline(__always)
  public static func load(_ bytes: Span<UInt8>, at index: Int) -> SIMD16<UInt8> {
    unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
  }

  /// Eight bytes and eight more.
  @inlinable @inline(__always)
  public static func lanes(_ first: UInt64, _ second: UInt64) -> SIMD16<UInt8> {
    same(SIMD2(first, second))
  }

  /// Which bytes are below `limit`, which is at most 128.
  @inlinable @inline(__always)
  public static func below(_ limit: UInt8, _ lanes: SIMD16<UInt8>) -> SIMD16<UInt8> {
    cvectors_below(limit, lanes)
  }

  /// Which bytes are `byte`.
  @inlinable @inline(__always)
  public static func equal(_ byte: UInt8, _ lanes: SIMD16<UInt8>) -> SIMD16<UInt8> {
    cvectors_equal(byte, lanes)
  }

  /// All bits set where a byte matches, none where it does not.
  @inlinable @inline(__always)
  public static func mask(_ answer: SIMD16<UInt8>) -> SIMD16<UInt8> {
    let signed: SIMD16<Int8> = same(answer)
    return same(signed &>> 7)
  }

  /// The same sixteen bytes as other integers, the first byte lowest.
  @inlinable @inline(__always)
  public static func same<From: SIMD, To: SIMD>(_ lanes: From) -> To
  where From.Scalar: FixedWidthInteger, To: BitwiseCopyable, To.Scalar: FixedWidthInteger {
    unsafe withUnsafeBytes(of: lanes) { unsafe $0.loadUnaligned(as: To.self) }
  }

  /// Whether none of the sixteen matches.
  @inlinable @inline(__always)
  public static func isNowhere(_ answer: SIMD16<UInt8>) -> Bool {
    let words: SIMD2<UInt64> = same(answer)
    return (words[0] | words[1]) & SWAR.highBits == 0
  }

  /// Whether any of the bytes is special.
  ///
  /// - Parameter special: Which of sixteen bytes are. A space is not.
  @inlinable @inline(__always)
  public static func hasAny(
    _ bytes: Span<UInt8>, _ special: (SIMD16<UInt8>) -> SIMD16<UInt8>
  ) -> Bool {
    let count = bytes.count
    var found = SIMD16<UInt8>()
    if count >= 16 {
      var index = 0
      while index &+ 16 < count {
        found |= special(load(bytes, at: index))
        index &+= 16
      }
      found |= special(load(bytes, at: count &- 16))
    } else if count >= 8 {
      found = special(lanes(SWAR.word(bytes, at: 0), SWAR.word(bytes, at: count &- 8)))
    } else {
      let spaces = SWAR.ones &* UInt64(ASCII.space)
      var word = spaces
      for index in 0..<count { word = word &<< 8 | UInt64(bytes[index]) }
      found = special(lanes(word, spaces))
    }
    return !isNowhere(found)
  }
}

/// Statistics of a document's bytes, gathered in one vectorised pass.
package struct ByteStatistics {
  package let hasNUL: Bool
  package let isASCII: Bool
  /// How many `<` there are.
  package let tagCount: Int
  /// At least the bytes from one `<` to the next where they are furthest apart, and at most two runs
  /// of sixty-four more.
  package let longestTag: Int

  /// - Parameter isPlain: Whether to do as on a processor without wide vectors, where one has them.
  package init(_ bytes: Span<UInt8>, isPlain: Bool = false) {
    let statistics = unsafe bytes.withUnsafeBufferPointer { bytes in
      let count = unsafe isPlain ? cvectors_count_each : cvectors_count
      return unsafe count(bytes.baseAddress, bytes.count, ASCII.lessThan)
    }
    hasNUL = statistics.has_nul != 0
    isASCII = statistics.is_ascii != 0
    tagCount = statistics.marks
    longestTag = statistics.longest_gap &+ 2 &* 64
  }
}

/// SIMD within a register: tests eight bytes at once, as the lanes of one word.
///
/// A test returns a word in which the highest bit of a lane is set where that lane matches. It may also set
/// the bit of a lane above a match, so zero is exact and anything else has to be inspected byte by byte.
public enum SWAR {
  /// The number of lanes.
  @inlinable @inline(__always) public static var count: Int { 8 }
  /// One in each lane.
  @inlinable @inline(__always) public static var ones: UInt64 { 0x0101_0101_0101_0101 }
  /// The highest bit of each lane.
  @inlinable @inline(__always) public static var highBits: UInt64 { 0x8080_8080_8080_8080 }

  /// The eight bytes from `index` on, the first of them in the lowest lane. The caller guarantees that
  /// there are eight.
  @inlinable @inline(__always)
  public static func word(_ bytes: Span<UInt8>, at index: Int) -> UInt64 {
    unsafe UInt64(
      littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
  }

  /// The number of lanes before the first match, 8 when there is none. The first match is always exact.
  @inlinable @inline(__always)
  public static func countBeforeFirst(_ answer: UInt64) -> Int {
    answer.trailingZeroBitCount &>> 3
  }

  /// Which lanes are below `byte`, of those without the highest bit.
  @inlinable @inline(__always)
  public static func below(_ byte: UInt8, _ word: UInt64) -> UInt64 {
    (word &- ones &* UInt64(byte)) & ~word & highBits
  }

  /// Which lanes are `byte`.
  @inlinable @inline(__always)
  public static func equal(_ byte: UInt8, _ word: UInt64) -> UInt64 {
    below(1, word ^ ones &* UInt64(byte))
  }
}
