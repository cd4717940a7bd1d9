import Octets
import Synchronization
package import TokenBasics

/// An element, seen as what it contains: attributes, child elements, text.
///
/// A view may omit one descendant (the signature that is being verified): it is then absent for every
/// reader that starts here, exactly as it is absent from the canonical octets of ``subtree``.
public struct Element: Sendable {
  @usableFromInline package let document: Document
  @usableFromInline let node: NodeIndex
  @usableFromInline let omitted: NodeIndex?

  @inlinable
  init(_ document: Document, _ node: NodeIndex, omitting omitted: NodeIndex? = nil) {
    self.document = document
    self.node = node
    self.omitted = omitted
  }

  /// This element without `descendant`.
  package func omitting(_ descendant: Element) -> Element {
    Element(document, node, omitting: descendant.node)
  }

  /// What a canonicalizer digests for this element.
  package var subtree: Subtree { Subtree(document: document, apex: node, omitted: omitted) }

  /// Whether both are the same node of the same document.
  package func isSameNode(as other: Element) -> Bool {
    node == other.node && document.storage === other.document.storage
  }

  /// Whether the element is exactly that namespace and local name.
  package func isNamed(_ name: ExpandedName) -> Bool {
    let record = record
    return storage.vocabulary.isNamed(record.name, known: record.known, name)
  }

  /// The local name.
  package var localName: String {
    storage.vocabulary.text(storage.vocabulary[record.name].local)
  }

  /// The namespace URI, empty for none.
  package var namespaceURI: String {
    storage.vocabulary.text(storage.vocabulary[record.name].uri)
  }

  /// Whether an attribute of the xml namespace is there.
  package var hasAttributesOfXML: Bool {
    record.attributeRange.contains { place in
      let name = storage.vocabulary[storage.attributes[place].name]
      return name.prefix != .empty && name.prefix == storage.vocabulary.xmlAtom
    }
  }

  /// How many attributes there are.
  package var attributeCount: Int { Int(record.attributeCount) }

  /// The bytes of the attribute with exactly this name, if there is one.
  package func attributeBytes(_ name: ExpandedName) -> ArraySlice<UInt8>? {
    attributeRange(name).map { storage.octets[$0] }
  }

  /// The range in ``Document/octets`` of the value of the attribute with exactly this name, if there is
  /// one.
  package func attributeRange(_ name: ExpandedName) -> Range<Int>? {
    let range = record.attributeRange
    for index in range where storage.isNamed(storage.attributes[index], name) {
      return storage.attributes[index].range
    }
    return nil
  }

  /// Whether the attribute with exactly this name is there and is `text`.
  package func hasAttribute(_ name: ExpandedName, of text: StaticString) -> Bool {
    guard let range = attributeRange(name) else { return false }
    return hasBytes(range, of: text)
  }

  /// Whether the range of ``Document/octets`` is exactly `text`.
  package func hasBytes(_ range: Range<Int>, of text: StaticString) -> Bool {
    Bytes.areEqual(storage.octets, range, text)
  }

  /// The octets at the range of ``Document/octets``.
  package func bytes(_ range: Range<Int>) -> ArraySlice<UInt8> { storage.octets[range] }

  /// Lends the octets at the range of ``Document/octets``.
  package func withBytes<Result, Failure: Error>(
    _ range: Range<Int>, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try Bytes.lend(storage.octets, range, body)
  }

  /// The octets at the range of ``Document/octets``.
  package func string(_ range: Range<Int>) -> String {
    Bytes.string(storage.octets, range)
  }

  /// The attribute with exactly this name, if there is one.
  package func attribute(_ name: ExpandedName) -> String? {
    attributeRange(name).map(string)
  }

  /// The attribute with exactly this name.
  ///
  /// - Throws: `xml.missing-attribute`.
  package func requiredAttribute(_ name: ExpandedName) throws(TokenError) -> String {
    string(try requiredAttributeRange(name))
  }

  /// As ``attributeRange(_:)``.
  ///
  /// - Throws: `xml.missing-attribute`.
  package func requiredAttributeRange(_ name: ExpandedName) throws(TokenError) -> Range<Int> {
    guard let range = attributeRange(name), !range.isEmpty else {
      throw TokenError(.missingAttribute, node: path, expected: "@\(name)")
    }
    return range
  }

  /// The range in ``Document/octets`` of the value of the attribute with exactly this name, if the element
  /// has no other attribute.
  package func onlyAttributeRange(_ name: ExpandedName) -> Range<Int>? {
    record.attributeCount == 1 ? attributeRange(name) : nil
  }

  /// Whether there is an attribute whose name is not `name`, in whatever namespace.
  package func hasAttribute(otherThan name: ExpandedName) -> Bool {
    for index in record.attributeRange where !storage.isNamed(storage.attributes[index], name) {
      return true
    }
    return false
  }

  /// Whether there is an attribute whose name is not one of `names`, in whatever namespace.
  package func hasAttribute(otherThan names: [ExpandedName]) -> Bool {
    for index in record.attributeRange {
      let attribute = storage.attributes[index]
      guard storage.vocabulary.isNamed(attribute.name, known: attribute.known, oneOf: names) else {
        return true
      }
    }
    return false
  }

  /// The text of an element that may hold nothing but text. Comments do not divide it.
  ///
  /// - Throws: `xml.mixed-content` for a child element or a processing instruction.
  package func text() throws(TokenError) -> String {
    if let range = try textRange() { return string(range) }
    return String(decoding: try joinedText(), as: UTF8.self)
  }

  /// The range in ``Document/octets`` of the text of an element that may hold only text; nil when
  /// comments divide it.
  ///
  /// - Throws: `xml.mixed-content` for a child element or a processing instruction.
  package func textRange() throws(TokenError) -> Range<Int>? {
    let storage = storage
    var whole = 0..<0
    let end = record.end
    var index = node.next
    while index < end {
      let child = storage.nodes[index]
      index = index.next
      switch child.kind {
      case .comment:
        continue
      case .text:
        guard whole.isEmpty else { return nil }
        whole = child.textRange
      default:
        throw TokenError(.mixedContent, node: path)
      }
    }
    return whole
  }

  /// The range in ``Document/octets`` of the text of an element that holds nothing else, not even a
  /// comment; nil for any other element.
  package var plainTextRange: Range<Int>? {
    let record = record
    switch record.end {
    case node.next:
      return 0..<0
    case node.next.next:
      let only = storage.nodes[node.next]
      return only.kind == .text ? only.textRange : nil
    default:
      return nil
    }
  }

  /// The text of an element that holds nothing else, not even a comment, in UTF-8: for base64, where
  /// whatever divides the text is no accident.
  ///
  /// - Throws: `xml.mixed-content`.
  package func plainTextBytes() throws(TokenError) -> ArraySlice<UInt8> {
    guard let range = plainTextRange else { throw TokenError(.mixedContent, node: path) }
    return storage.octets[range]
  }

  /// As ``text()``, in UTF-8.
  package func textBytes() throws(TokenError) -> ArraySlice<UInt8> {
    if let range = try textRange() { return storage.octets[range] }
    return try joinedText()
  }

  /// The text that comments divide.
  private func joinedText() throws(TokenError) -> ArraySlice<UInt8> {
    var whole: ArraySlice<UInt8> = []
    let end = record.end
    var index = node.next
    while index < end {
      let child = storage.nodes[index]
      index = index.next
      switch child.kind {
      case .comment:
        continue
      case .text:
        let part = storage.octets[child.textRange]
        if whole.isEmpty { whole = part } else { whole += part }
      default:
        throw TokenError(.mixedContent, node: path)
      }
    }
    return whole
  }

  /// The child elements in order, comments and white space left out.
  ///
  /// - Throws: `xml.unexpected-text` when text is between them.
  package func children() throws(TokenError) -> [Element] {
    var children: [Element] = []
    var reader = try ChildReader(self)
    while let child = reader.takeAny() { children.append(child) }
    return children
  }

  /// Whether there is nothing inside, not even a comment.
  package var isEmpty: Bool { record.end == node.next }

  /// Whether there is any child element.
  package var hasChildElements: Bool {
    var index = node.next
    while index < record.end {
      if storage.nodes[index].kind == .element, index != omitted { return true }
      index = storage.nodes[index].end
    }
    return false
  }

  /// All elements of the subtree with that name, this one included, in document order.
  package func descendants(named name: ExpandedName) -> [Element] {
    descendants { $0.isNamed(name) }
  }

  /// The first element of the subtree that has one of `names`, this one included, in document order.
  package func firstDescendant(named names: [ExpandedName]) -> Element? {
    let index = storage.firstElement(from: node, omitting: omitted, named: names)
    return index.map { Element(document, $0, omitting: omitted) }
  }

  /// All elements of the subtree that `isWanted`, this one included, in document order.
  package func descendants(where isWanted: (Element) -> Bool) -> [Element] {
    var found: [Element] = []
    var index = node
    while index < record.end {
      if index == omitted {
        index = storage.nodes[index].end
        continue
      }
      if storage.nodes[index].kind == .element {
        let element = Element(document, index, omitting: omitted)
        if isWanted(element) { found.append(element) }
      }
      index = index.next
    }
    return found
  }

  /// The parent element, unless this is the document element.
  package var parent: Element? {
    let parent = record.parent
    guard storage.nodes[parent].kind == .element else { return nil }
    return Element(document, parent, omitting: omitted)
  }

  /// The namespace that `prefix` is bound to here (empty: the default namespace).
  package func namespace(forPrefix prefix: String) -> String? {
    var current = node
    while storage.nodes[current].kind == .element {
      for place in storage.nodes[current].namespaceRange {
        let declaration = storage.namespaces[place]
        guard storage.vocabulary.text(declaration.prefix).utf8.elementsEqual(prefix.utf8) else {
          continue
        }
        return storage.vocabulary.text(declaration.uri)
      }
      current = storage.nodes[current].parent
    }
    return nil
  }

  /// The namespaces that are in scope here, by prefix (empty: the default namespace), the reserved
  /// `xml` left out.
  package var namespacesInScope: [String: String] {
    var found: [String: String] = [:]
    var current = node
    while storage.nodes[current].kind == .element {
      for place in storage.nodes[current].namespaceRange {
        let declaration = storage.namespaces[place]
        let prefix = storage.vocabulary.text(declaration.prefix)
        if prefix != "xml", found[prefix] == nil {
          found[prefix] = storage.vocabulary.text(declaration.uri)
        }
      }
      current = storage.nodes[current].parent
    }
    return found.filter { !$0.value.isEmpty }
  }

  /// The path of the element, such as `/Response/Assertion[2]/Signature`. A number is there where
  /// siblings share the name. Of very long paths the two ends are shown: names are a stranger's.
  public var path: String {
    var ancestors: [NodeIndex] = []
    var current = node
    while storage.nodes[current].kind == .element {
      ancestors.append(current)
      current = storage.nodes[current].parent
    }
    ancestors.reverse()
    guard ancestors.count > 16 else {
      return "/" + ancestors.map(step(of:)).joined(separator: "/")
    }
    let start = ancestors.prefix(4).map(step(of:))
    return "/" + (start + ["…"] + ancestors.suffix(8).map(step(of:))).joined(separator: "/")
  }

  private func step(of node: NodeIndex) -> String {
    let record = storage.nodes[node]
    let local = storage.vocabulary.text(storage.vocabulary[record.name].local)
    var shown = local
    // Scalars, not characters: one letter may carry a thousand accents.
    if local.utf8.count > 64 {
      shown = ""
      shown.unicodeScalars.append(contentsOf: local.unicodeScalars.prefix(64))
      shown += "…"
    }
    return position(of: node).map { "\(shown)[\($0)]" } ?? shown
  }

  /// Which of its siblings of the same name the element is, from 1; nil for an only one.
  private func position(of node: NodeIndex) -> Int? {
    let record = storage.nodes[node]
    let parent = storage.nodes[record.parent]
    guard parent.end.position &- record.parent.position <= 256 else {
      return storage.siblingPositions.withLock { positions in
        if let positions { return positions[node] }
        let counted = SiblingPositions(storage.nodes)
        positions = counted
        return counted[node]
      }
    }
    var index = record.parent.next
    var position: Int?
    var count = 0
    while index < parent.end {
      let sibling = storage.nodes[index]
      if sibling.kind == .element, sibling.name == record.name {
        count += 1
        if index == node { position = count }
      }
      index = sibling.end
    }
    return count > 1 ? position : nil
  }

  var storage: Document.Storage { document.storage }
  @inline(__always) var record: Document.Node { document.storage.nodes[node] }
}
