/// A range of octets, in half the memory of `Range<Int>`. Nothing that is parsed is longer than 2^32 octets.
struct OctetRange: BitwiseCopyable, Sendable {
  let start: UInt32
  let count: UInt32

  @inline(__always)
  init(start: UInt32, count: UInt32) {
    self.start = start
    self.count = count
  }

  @inline(__always)
  init(_ range: Range<Int>) {
    start = UInt32(truncatingIfNeeded: range.lowerBound)
    count = UInt32(truncatingIfNeeded: range.count)
  }

  @inline(__always)
  var range: Range<Int> { Int(start)..<Int(start) &+ Int(count) }

  static let empty = OctetRange(0..<0)
}
