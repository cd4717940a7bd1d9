/// How far back what is parsed stands in its source as canonical form writes it, without a gap.
///
/// An element that is whole is digested as it stands, not as it would be written: the octets that the
/// parser read are the octets that were signed.
///
/// What breaks the run breaks it for every element that is open, so one depth says which ones hold
/// nothing else.
struct CanonicalRun {
  /// Behind what was last found to be canonical.
  private(set) var end = 0
  /// Open elements up to this depth hold something that canonical form writes in another way.
  private var brokenDepth = 0

  /// Adds what stands at `range`, inside of the element at `depth`.
  mutating func add(_ range: Range<Int>, at depth: Int) {
    if range.lowerBound != end { brokenDepth = depth }
    end = range.upperBound
  }

  /// The element at `depth`, the innermost, holds something else.
  mutating func breakOff(at depth: Int) { brokenDepth = depth }

  /// Whether the innermost element, at `depth`, has held nothing else so far.
  func isWhole(at depth: Int) -> Bool { depth > brokenDepth }

  /// The innermost element closes, with an end tag that ends there and is next in the run.
  mutating func close(end: Int) { self.end = end }
}
