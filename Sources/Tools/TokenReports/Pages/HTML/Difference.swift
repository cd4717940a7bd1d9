/// What differs between two texts of which one was expected and the other found.
enum Difference {
  /// The part of a text that the other has not in its place; nil where the two have too little in common for a mark to
  /// help, or are too long to be shown whole.
  static func part(of text: String, against other: String) -> Range<String.Index>? {
    let (left, right) = (text.unicodeScalars, other.unicodeScalars)
    guard text != other, left.count <= PageLimits.characters, right.count <= PageLimits.characters,
      !text.unicodeScalars.contains(where: PageText.isHidden)
    else { return nil }
    let start = zip(left, right).prefix { $0 == $1 }.count
    let most = min(left.count, right.count) - start
    let end = zip(left.reversed(), right.reversed()).prefix(most, while: ==)
    guard 2 * (start + end) >= min(left.count, right.count) else { return nil }
    return left.index(left.startIndex, offsetBy: start)..<left.index(left.endIndex, offsetBy: -end)
  }
}

extension Sequence {
  /// How many of the first elements, at most `count`, the predicate holds for in a row.
  fileprivate func prefix(_ count: Int, while holds: (Element) -> Bool) -> Int {
    var found = 0
    for element in self {
      guard found < count, holds(element) else { break }
      found += 1
    }
    return found
  }
}
