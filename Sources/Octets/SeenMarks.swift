/// Which marks (``ByteHash/mark(_:)``) there were, as far as sixty-four bits can tell. Public so that other
/// modules inline it; no product exports it.
public struct SeenMarks: Sendable {
  @usableFromInline var bits: UInt64 = 0

  @inlinable public init() {}

  /// Notes a mark; answers whether it is new for certain.
  @inlinable @inline(__always)
  public mutating func insert(_ mark: Int) -> Bool {
    // The highest bits of the product depend on all of the mark.
    let product = UInt64(truncatingIfNeeded: mark) &* 0x9E37_79B9_7F4A_7C15
    let bit: UInt64 = 1 &<< (product &>> 58)
    defer { bits |= bit }
    return bits & bit == 0
  }
}
