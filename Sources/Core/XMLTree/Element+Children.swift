import Octets
package import TokenBasics

/// The steps of ``ChildReader``, on positions of nodes.
extension Element {
  /// One past the last node inside.
  @usableFromInline var end: NodeIndex { record.end }

  /// The element at that position, seen as this one is.
  @inlinable @inline(__always)
  func sibling(_ index: NodeIndex) -> Element { Element(document, index, omitting: omitted) }

  @usableFromInline
  func isNamed(_ name: ExpandedName, _ index: NodeIndex) -> Bool {
    let record = storage.nodes[index]
    return storage.vocabulary.isNamed(record.name, known: record.known, name)
  }

  /// The first child element, or ``end``.
  ///
  /// - Throws: `xml.unexpected-text` when text is between any of the children.
  @usableFromInline
  func checkedFirstChild() throws(TokenError) -> NodeIndex {
    let end = record.end
    var first = end
    var index = node.next
    let hasText = record.hasText
    // Without text the rest need not be inspected.
    while index < end, hasText || first == end {
      let child = storage.nodes[index]
      switch child.kind {
      case .element where index != omitted && first == end:
        first = index
      case .text:
        guard storage.isWhiteSpace(child.textRange) else {
          throw TokenError(.unexpectedText, node: path)
        }
      default:
        break
      }
      index = child.end
    }
    return first
  }

  /// Calls `body` with each child element, where ``ChildReader`` would keep them: for long
  /// lists, of which nothing is kept.
  ///
  /// - Throws: `xml.unexpected-text`, and what `body` throws.
  package func forEachChild(
    _ body: (Element) throws(TokenError) -> Void
  ) throws(TokenError) {
    let end = record.end
    // An only child needs no look for text around it.
    if let only = onlyChild(before: end) { return try body(sibling(only)) }
    var index = try checkedFirstChild()
    while index < end {
      let child = storage.nodes[index]
      if child.kind == .element, index != omitted {
        try body(Element(document, index, omitting: omitted))
      }
      index = child.end
    }
  }

  /// The child element with that name, if nothing else is inside, not even a comment.
  package func onlyChild(_ name: ExpandedName) -> Element? {
    guard let only = onlyChild(before: record.end), isNamed(name, only) else { return nil }
    return sibling(only)
  }

  /// The child element that is all there is inside, as an attribute's value is.
  @inline(__always)
  private func onlyChild(before end: NodeIndex) -> NodeIndex? {
    let index = node.next
    guard index < end, index != omitted else { return nil }
    let child = storage.nodes[index]
    return child.kind == .element && child.end == end ? index : nil
  }

  /// The child element after the one that is `index`, or `end`, which is ``end``.
  @usableFromInline
  func childElement(after index: NodeIndex, before end: NodeIndex) -> NodeIndex {
    var index = storage.nodes[index].end
    while index < end {
      let child = storage.nodes[index]
      if child.kind == .element, index != omitted { return index }
      index = child.end
    }
    return end
  }
}

extension Document.Storage {
  @inline(__always)
  func isNamed(_ attribute: Document.Attribute, _ name: ExpandedName) -> Bool {
    vocabulary.isNamed(attribute.name, known: attribute.known, name)
  }

  /// The first element of the subtree of `apex` that has one of `names`.
  func firstElement(from apex: NodeIndex, omitting omitted: NodeIndex?, named names: [ExpandedName])
    -> NodeIndex?
  {
    let end = nodes[apex].end
    var index = apex
    while index < end {
      let node = nodes[index]
      if index == omitted {
        index = node.end
        continue
      }
      if node.kind == .element, vocabulary.isNamed(node.name, known: node.known, oneOf: names) {
        return index
      }
      index = index.next
    }
    return nil
  }

  fileprivate func isWhiteSpace(_ range: Range<Int>) -> Bool {
    for index in range where !ASCII.isWhiteSpace(octets[index]) { return false }
    return true
  }
}

extension Element {
  /// An attribute of a type whose white space collapses (`xs:anyURI`, `xs:dateTime`).
  package func collapsedAttribute(_ name: ExpandedName) -> String? {
    collapsedAttributeRange(name).map(string)
  }

  /// The range in ``Document/octets`` of the value of such an attribute.
  package func collapsedAttributeRange(_ name: ExpandedName) -> Range<Int>? {
    guard let range = attributeRange(name) else { return nil }
    return storage.octets.trimmingWhiteSpace(range)
  }

  /// The text of an element of a type whose white space collapses.
  ///
  /// - Throws: `xml.mixed-content`.
  package func collapsedText() throws(TokenError) -> String {
    if let range = try collapsedTextRange() { return string(range) }
    return String(decoding: try textBytes().trimmingWhiteSpace, as: UTF8.self)
  }

  /// The range in ``Document/octets`` of that text; nil when comments divide it.
  ///
  /// - Throws: `xml.mixed-content`.
  package func collapsedTextRange() throws(TokenError) -> Range<Int>? {
    guard let range = try textRange() else { return nil }
    return storage.octets.trimmingWhiteSpace(range)
  }
}

extension ArraySlice<UInt8> {
  /// Without XML white space at either end. No other character counts as white space.
  package var trimmingWhiteSpace: ArraySlice<UInt8> { self[trimmingWhiteSpace(indices)] }
}

extension RandomAccessCollection where Element == UInt8, Index == Int {
  fileprivate func trimmingWhiteSpace(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, ASCII.isWhiteSpace(self[start]) { start += 1 }
    while start < end, ASCII.isWhiteSpace(self[end - 1]) { end -= 1 }
    return start..<end
  }
}
