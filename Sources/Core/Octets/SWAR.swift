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
