package import TokenErrors

/// Takes the children of an element in the order of its schema and refuses what is left over.
///
/// Wrapping attacks live in the leftovers, so a reader that does not reach ``finish()`` is wrong.
package struct ChildReader {
  private let parent: Element
  /// The next child element, or where the parent ends.
  private var index: UInt32
  private let end: UInt32

  /// - Throws: `xml.unexpected-text`.
  package init(_ parent: Element) throws(TokenError) {
    index = try parent.checkedFirstChild()
    end = parent.end
    self.parent = parent
  }

  /// The next child, not taken.
  package var next: Element? { isAtEnd ? nil : parent.sibling(index) }

  private var isAtEnd: Bool { index >= end }

  /// Takes the next child if it has that name.
  package mutating func take(_ name: ExpandedName) -> Element? {
    guard !isAtEnd, parent.isNamed(name, index) else { return nil }
    return takeAny()
  }

  /// Takes the next child whatever it is.
  package mutating func takeAny() -> Element? {
    guard !isAtEnd else { return nil }
    let element = parent.sibling(index)
    index = parent.childElement(after: index, before: end)
    return element
  }

  /// Takes the next child if it has that name, and refuses a second one.
  ///
  /// - Throws: `xml.repeated-element`.
  package mutating func takeOne(_ name: ExpandedName) throws(TokenError) -> Element? {
    guard let element = take(name) else { return nil }
    if let again = take(name) { throw TokenError(.repeatedElement, node: again.path) }
    return element
  }

  /// Takes the next child, which must have that name.
  ///
  /// - Throws: `xml.missing-element`, `xml.unexpected-element`, `xml.repeated-element`.
  package mutating func require(_ name: ExpandedName) throws(TokenError) -> Element {
    if let element = try takeOne(name) { return element }
    // When it comes later, what stands before it is what does not belong.
    var rest = self
    while let later = rest.takeAny() {
      guard later.isNamed(name), let next else { continue }
      throw TokenError(.unexpectedElement, node: next.path, expected: "\(name)")
    }
    throw TokenError(
      .missingElement, node: parent.path, expected: "\(name)",
      found: next.map { TokenError.excerpt($0.localName) } ?? "the end")
  }

  /// Takes all next children of that name.
  package mutating func takeAll(_ name: ExpandedName) -> [Element] {
    var taken: [Element] = []
    while let element = take(name) { taken.append(element) }
    return taken
  }

  /// - Throws: `xml.unexpected-element` when a child is left.
  package func finish() throws(TokenError) {
    if let next { throw TokenError(.unexpectedElement, node: next.path) }
  }
}
