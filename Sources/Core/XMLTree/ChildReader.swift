public import TokenBasics

/// Takes the children of an element in the order of its schema and refuses what is left over.
///
/// Wrapping attacks live in the leftovers, so a reader that does not reach ``finish()`` is wrong.
///
/// Inlined, so that an element which is taken and only looked at is not counted: it is the parent's
/// document and a position.
public struct ChildReader {
  @usableFromInline let parent: Element
  /// The next child element, or where the parent ends.
  @usableFromInline var index: NodeIndex
  @usableFromInline let end: NodeIndex

  /// - Throws: `xml.unexpected-text`.
  @inlinable @inline(__always)
  public init(_ parent: Element) throws(TokenError) {
    index = try parent.checkedFirstChild()
    end = parent.end
    self.parent = parent
  }

  /// The next child, not taken.
  @inlinable @inline(__always)
  public var next: Element? { index < end ? parent.sibling(index) : nil }

  /// Takes the next child if it has that name.
  @inlinable @inline(__always)
  public mutating func take(_ name: ExpandedName) -> Element? {
    guard index < end, parent.isNamed(name, index) else { return nil }
    return takeAny()
  }

  /// Takes the next child whatever it is.
  @inlinable @inline(__always)
  public mutating func takeAny() -> Element? {
    guard index < end else { return nil }
    let element = parent.sibling(index)
    index = parent.childElement(after: index, before: end)
    return element
  }

  /// Takes the next child if it has that name, and refuses a second one.
  ///
  /// - Throws: `xml.repeated-element`.
  @inlinable @inline(__always)
  public mutating func takeOne(_ name: ExpandedName) throws(TokenError) -> Element? {
    guard let element = take(name) else { return nil }
    if index < end, parent.isNamed(name, index) {
      throw TokenError(.repeatedElement, node: parent.sibling(index).path)
    }
    return element
  }

  /// Takes the next child, which must have that name.
  ///
  /// - Throws: `xml.missing-element`, `xml.unexpected-element`, `xml.repeated-element`.
  @inlinable @inline(__always)
  public mutating func require(_ name: ExpandedName) throws(TokenError) -> Element {
    guard let element = try takeOne(name) else { throw missing(name) }
    return element
  }

  /// What is wrong when `name` is not the next child's.
  @usableFromInline
  func missing(_ name: ExpandedName) -> TokenError {
    // When it comes later, the element before it is the unexpected one.
    var rest = self
    while let later = rest.takeAny() {
      guard later.isNamed(name), let next else { continue }
      return TokenError(.unexpectedElement, node: next.path, expected: "\(name)")
    }
    return TokenError(
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
  @inlinable @inline(__always)
  public func finish() throws(TokenError) {
    if index < end {
      throw TokenError(.unexpectedElement, node: parent.sibling(index).path)
    }
  }
}
