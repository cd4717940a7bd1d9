import Octets

extension Vocabulary {
  /// Whether an attribute of one name precedes one of another: by namespace URI, then by local
  /// name (Canonical XML 1.0, 2.2).
  @inline(__always)
  func isAttribute(_ left: NameIndex, before right: NameIndex) -> Bool {
    let left = self[left]
    let right = self[right]
    return left.uri == right.uri
      ? isAtom(left.local, before: right.local) : isAtom(left.uri, before: right.uri)
  }

  /// Whether the attributes of an element, which are at `range`, are in that order.
  @inline(__always)
  func isInOrder(_ attributes: borrowing GrowableBuffer<Document.Attribute>, _ range: Range<Int>)
    -> Bool
  {
    var position = range.lowerBound &+ 1
    while position < range.upperBound {
      let name = attributes[position].name
      if isAttribute(name, before: attributes[position &- 1].name) { return false }
      position &+= 1
    }
    return true
  }

  /// Whether the UTF-8 of one atom precedes that of another; the order of UTF-8 is the order of
  /// the characters' numbers.
  @inline(__always)
  func isAtom(_ left: AtomIndex, before right: AtomIndex) -> Bool {
    let left = bytes.span.extracting(self[left])
    let right = bytes.span.extracting(self[right])
    let shared = min(left.count, right.count)
    var index = 0
    while index < shared {
      if left[index] != right[index] { return left[index] < right[index] }
      index &+= 1
    }
    return left.count < right.count
  }
}
