/// A Bloom filter of 64 bits and one hash over the marks that ``ByteHash/mark(_:)`` computes.
public struct SmallBloomFilter: Sendable {
  @usableFromInline var bits: UInt64 = 0

  /// An empty filter.
  @inlinable public init() {}

  /// Inserts a mark. Returns true where the filter is certain that the mark was not in it.
  @inlinable @inline(__always)
  public mutating func insert(_ mark: Int) -> Bool {
    // The highest bits of the product depend on all of the mark.
    let product = UInt64(truncatingIfNeeded: mark) &* 0x9E37_79B9_7F4A_7C15
    let bit: UInt64 = 1 &<< (product &>> 58)
    defer { bits |= bit }
    return bits & bit == 0
  }
}
