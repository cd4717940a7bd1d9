import XMLSecurity
import XMLTree

/// Which nodes of a document a page shows: all of a usual one; of a long one the first inside of each element, and
/// those around assertions, signatures and what these cover, so that padding hides none of them.
struct Abridgement {
  /// The positions of the elements that are always shown, ascending.
  private let landmarks: [Int]
  /// Of the document and of each open element, how many nodes inside were shown and left out.
  private var levels: [(shown: Int, omitted: Int)] = [(0, 0)]
  private var shown = 0

  init(_ covered: CoveredDocument) {
    let signatures = covered.coverages.flatMap { [$0.signature] + $0.candidates.prefix(4) }
    landmarks = (covered.assertions + signatures).map(\.position).sorted()
  }

  /// Whether even landmarks are too many.
  var isOver: Bool { shown >= 2 * PageLimits.elements }

  /// Whether the page shows an element.
  ///
  /// - Parameter isLong: Whether the part of the page is as long as it may be.
  mutating func shows(_ element: Element, isLong: Bool) -> Bool {
    showsNode(isLong: isLong) { [landmarks] in
      Self.hasLandmark(landmarks, element.position..<element.endPosition)
    }
  }

  /// Whether the page shows a text, a comment or an instruction.
  mutating func showsLeaf(isLong: Bool) -> Bool { showsNode(isLong: isLong) { false } }

  private mutating func showsNode(isLong: Bool, isLandmark: () -> Bool) -> Bool {
    let last = levels.count - 1
    let isLong = isLong || shown >= PageLimits.elements || levels[last].shown >= PageLimits.children
    guard !isLong || isLandmark() else {
      levels[last].omitted += 1
      return false
    }
    levels[last].shown += 1
    shown += 1
    return true
  }

  /// Goes into the element that was shown last.
  mutating func enter() { levels.append((0, 0)) }

  /// Leaves it; the document itself is never left.
  mutating func leave() { if levels.count > 1 { levels.removeLast() } }

  /// How many nodes were left out since the last that was shown, to be said once.
  mutating func takeOmitted() -> Int {
    let last = levels.count - 1
    defer { levels[last].omitted = 0 }
    return levels[last].omitted
  }

  private static func hasLandmark(_ landmarks: [Int], _ range: Range<Int>) -> Bool {
    var (low, high) = (0, landmarks.count)
    while low < high {
      let middle = (low + high) / 2
      if landmarks[middle] < range.lowerBound { low = middle + 1 } else { high = middle }
    }
    return low < landmarks.count && landmarks[low] < range.upperBound
  }
}
