/// Eight bytes looked at as one word. Public so that loops in other modules inline it; no product exports
/// it.
///
/// An answer has the highest bit of a lane set where the lane has what is asked for. The quick tests may
/// set it in a lane above such a one too, so a word without it is sure and any other is to be looked at
/// byte by byte.
public enum ByteLanes {
  @inlinable @inline(__always) public static var count: Int { 8 }
  @inlinable @inline(__always) public static var ones: UInt64 { 0x0101_0101_0101_0101 }
  @inlinable @inline(__always) public static var highBits: UInt64 { 0x8080_8080_8080_8080 }

  /// The eight bytes from `index` on, the first of them in the lowest lane. The caller sees to it that
  /// there are eight.
  @inlinable @inline(__always)
  public static func word(_ bytes: Span<UInt8>, at index: Int) -> UInt64 {
    unsafe UInt64(
      littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
  }

  /// How many lanes stand before the first that an answer marks, 8 when it marks none. No quick test is
  /// wrong about the first.
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
