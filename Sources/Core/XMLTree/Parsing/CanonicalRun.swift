/// How far back the source of the parsed nodes is in canonical form, without a gap.
///
/// The source of such an element is digested instead of a rewritten copy: the octets that the
/// parser read are the octets that were signed.
///
/// What breaks the run breaks it for every element that is open, so one depth tells which ones hold
/// nothing else.
struct CanonicalRun {
  /// Behind what was last found to be canonical.
  private(set) var end = 0
  /// Open elements up to this depth hold something that canonical form writes in another way.
  private var brokenDepth = 0

  /// Adds the node at `range`, inside the element at `depth`.
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
