import CLibXML2
import Octets
import TokenBasics

/// Collects libxml2's SAX2 events into the arrays of a ``Document``.
///
/// A value behind a pointer, not an object: the callbacks change it in place, without an exclusivity
/// check at every touch.
@safe struct TreeBuilder: ~Copyable {
  private var nodes: GrowableBuffer<Document.Node>
  private var attributes: GrowableBuffer<Document.Attribute>
  private var namespaces = GrowableBuffer<Document.NamespaceDeclaration>()
  private var texts: DocumentTexts
  private var run = CanonicalRun()
  /// The innermost open node, and how many elements are open.
  private var innermost = NodeIndex.document
  private var depth = 0
  private var namespacesInScope = 0
  private var elementCount = 0
  private var names: NameTable
  private let limits: Limits
  private var root: NodeIndex?
  private(set) var failure: TokenError?
  /// Where in the source the last start tag or text ends; 0 without a source.
  private(set) var position = 0

  /// - Parameters:
  ///   - source: What is parsed, where it stays in its place until the build ends.
  ///   - copies: Memory for texts, whose content is forgotten.
  init(
    source: SourceOctets, names: consuming NameTable, copies: consuming OctetWriter, tagCount: Int,
    limits: Limits
  ) {
    texts = DocumentTexts(source: source, copies: copies)
    self.names = names
    self.names.beginDocument()
    self.limits = limits
    nodes = GrowableBuffer(capacity: tagCount + tagCount / 2 + 8)
    attributes = GrowableBuffer(capacity: tagCount / 2 + 16)
    nodes.append(Document.Node(.document, parent: .document, end: .document))
  }

  /// Whether a document element was seen and closed.
  var hasRoot: Bool { root != nil && depth == 0 }

  /// Whether every element that was opened is closed again.
  var isClosed: Bool { depth == 0 }

  /// Bytes of text and attribute values so far, except those in the source.
  var textCount: Int { texts.copiedCount }

  /// Whether the innermost element that is open has one of these names.
  func isInnermost(_ expected: [ExpandedName]) -> Bool {
    guard depth > 0 else { return false }
    let node = nodes[innermost]
    return names.vocabulary.isNamed(node.name, known: node.known, oneOf: expected)
  }

  /// Declares on the document element, which was just opened, what is in scope around it: so the part
  /// of a document becomes a document.
  mutating func declare(_ inherited: [ScopedNamespace]) {
    guard let root, nodes.endIndex == root.next else { return }
    // From the inside out: an inner declaration hides an outer one.
    for declaration in inherited.reversed() {
      let prefix = unsafe names.atom(declaration.prefix)
      guard !isDeclared(prefix) else { continue }
      let uri = unsafe names.atom(declaration.uri)
      namespaces.append(Document.NamespaceDeclaration(prefix: prefix, uri: uri))
      nodes[root].addNamespace()
      namespacesInScope &+= 1
    }
  }

  private func isDeclared(_ prefix: AtomIndex) -> Bool {
    for place in namespaces.indices where namespaces[place].prefix == prefix { return true }
    return false
  }

  /// Ends the build and gives back what serves the next document too.
  ///
  /// - Parameter source: The octets of the source, to which the copies are added.
  consuming func finish(
    _ source: consuming [UInt8], _ names: inout NameTable?, _ copies: inout OctetWriter?
  ) -> Document {
    nodes[.document].end = nodes.endIndex
    let vocabulary = self.names.vocabulary
    let sourceCount = texts.source.count
    texts.finish(&source, &copies)
    let storage = Document.Storage(
      nodes: nodes, attributes: attributes, namespaces: namespaces, octets: source,
      sourceCount: sourceCount, vocabulary: vocabulary, root: root ?? .document)
    let table = self.names
    names = consume table
    return Document(storage: storage)
  }

  /// Returns whether parsing may go on.
  ///
  /// - Parameter cursor: Where the parser is: before the `>` or `/>` of the tag.
  mutating func startElement(
    local: UnsafePointer<xmlChar>, prefix: UnsafePointer<xmlChar>?, uri: UnsafePointer<xmlChar>?,
    namespaceCount: Int, namespaceList: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?,
    attributeCount: Int, attributeList: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?,
    cursor: UnsafePointer<xmlChar>?
  ) -> Bool {
    elementCount &+= 1
    namespacesInScope &+= namespaceCount
    guard elementCount <= limits.elements, depth < limits.depth,
      attributeCount <= limits.attributes, namespaceCount <= limits.namespaces,
      namespacesInScope <= Self.namespacesInScopeLimit
    else { return refuse(attributeCount) }

    let index = nodes.endIndex
    if depth == 0 { root = index }
    let (name, known, nameCount) = unsafe names.name(local: local, prefix: prefix, uri: uri)
    var node = Document.Node(
      name, known: known, attributes: attributes.count..<attributes.count &+ attributeCount,
      namespaces: namespaces.count..<namespaces.count &+ namespaceCount, parent: innermost)
    if namespaceCount > 0, let list = unsafe namespaceList {
      guard unsafe addDeclarations(list, namespaceCount) else { return false }
    }
    var tag = OpenTag(nameCount: nameCount)
    if attributeCount > 0, let list = unsafe attributeList {
      unsafe addAttributes(list, attributeCount, &tag)
    }
    let tagEnd = unsafe texts.source.offset(of: cursor)
    position = tagEnd
    tag.close(at: tagEnd, texts.source)
    if depth > 0, namespaceCount == 0, !tag.isBroken,
      names.vocabulary.isInSameNamespace(name, nodes[innermost].name),
      names.vocabulary.isInOrder(attributes, node.attributeRange.lowerBound..<attributes.count)
    {
      node.canonicalPart = .startTag
      node.source = OctetRange(tag.start..<tagEnd)
      run.add(tag.start..<tagEnd &+ 1, at: depth)
      depth &+= 1
      // Canonical form has no tag that ends what it starts.
      if !texts.source.has(UInt8(ascii: ">"), at: tagEnd) { run.breakOff(at: depth) }
    } else {
      depth &+= 1
      run.breakOff(at: depth)
    }
    nodes.append(node)
    innermost = index
    return isWithinNames()
  }

  private mutating func addDeclarations(
    _ list: UnsafeMutablePointer<UnsafePointer<xmlChar>?>, _ count: Int
  ) -> Bool {
    for position in 0..<count {
      let prefix = unsafe names.atom(list[2 * position])
      let uri = unsafe names.atom(list[2 * position + 1])
      guard names.isNamespaceName(uri) else {
        return fail(TokenError(.namespaceURI, found: TokenError.excerpt(names.text(uri))))
      }
      namespaces.append(Document.NamespaceDeclaration(prefix: prefix, uri: uri))
    }
    return true
  }

  @inline(__always)
  private mutating func addAttributes(
    _ list: UnsafeMutablePointer<UnsafePointer<xmlChar>?>, _ count: Int, _ tag: inout OpenTag
  ) {
    for position in 0..<count {
      // local name, prefix, URI, start and end of the value
      let entry = unsafe list + 5 * position
      guard let local = unsafe entry[0], let start = unsafe entry[3], let end = unsafe entry[4]
      else { continue }
      let (name, known, nameCount) = unsafe names.name(
        local: local, prefix: entry[1], uri: entry[2])
      let value = unsafe texts.place(ofValue: UnsafeBufferPointer(start: start, count: end - start))
      tag.add(nameCount, value, hasPrefix: unsafe entry[1] != nil, texts.source)
      attributes.append(Document.Attribute(name: name, known: known, value: OctetRange(value)))
    }
  }

  mutating func endElement() {
    guard depth > 0 else { return }
    let index = innermost
    nodes[index].end = nodes.endIndex
    if run.isWhole(at: depth), let end = canonicalEnd(of: nodes[index].name) {
      nodes[index].canonicalPart = .whole
      nodes[index].source = OctetRange(nodes[index].source.range.lowerBound..<end)
      run.close(end: end)
    } else {
      run.breakOff(at: depth &- 1)
    }
    namespacesInScope &-= Int(nodes[index].namespaceCount)
    innermost = nodes[index].parent
    depth &-= 1
  }

  /// Text comes in several events; neighbours are one node.
  mutating func text(_ bytes: UnsafeBufferPointer<xmlChar>) {
    let plain = unsafe texts.plainPlace(ofText: bytes)
    if let plain {
      run.add(plain, at: depth)
      position = plain.upperBound
    } else {
      run.breakOff(at: depth)
    }
    nodes[innermost].hasText = true
    let last = nodes.count &- 1
    guard nodes[last].kind == .text, nodes[last].parent == innermost else {
      let range = unsafe plain ?? texts.copy(bytes)
      return appendLeaf(.text, range)
    }
    nodes[last].textRange = unsafe texts.join(
      nodes[last].textRange, with: bytes, plainPlace: plain)
  }

  mutating func comment(_ bytes: UnsafeBufferPointer<xmlChar>) {
    run.breakOff(at: depth)
    unsafe appendLeaf(.comment, texts.copy(bytes))
  }

  /// Returns whether parsing may go on.
  mutating func processingInstruction(
    target: UnsafePointer<xmlChar>, _ data: UnsafeBufferPointer<xmlChar>
  ) -> Bool {
    run.breakOff(at: depth)
    unsafe appendLeaf(.processingInstruction, texts.copy(data), target: names.atom(target))
    return isWithinNames()
  }

  mutating func doctype() { _ = fail(TokenError(.doctype)) }

  private mutating func appendLeaf(
    _ kind: Document.Node.Kind, _ text: Range<Int>, target: AtomIndex = .empty
  ) {
    nodes.append(
      Document.Node(
        kind, text, target: target, parent: innermost, end: nodes.endIndex.next))
  }

  // MARK: Canonical octets

  /// The end of the next end tag in the source, if canonical form writes it unchanged:
  /// without white space.
  @inline(__always)
  private func canonicalEnd(of name: NameIndex) -> Int? {
    let end = run.end &+ Int(names.vocabulary[name].count) &+ 3
    let source = texts.source
    guard source.has(ASCII.lessThan, at: run.end), source.has(UInt8(ascii: "/"), at: run.end &+ 1),
      source.has(UInt8(ascii: ">"), at: end &- 1)
    else { return nil }
    return end
  }

  /// libxml2's dictionary slows down when it holds tens of thousands of names.
  private mutating func isWithinNames() -> Bool {
    guard !names.hasForeignStrings, !texts.hasForeignValues else {
      return fail(TokenError(.xmlLibrary, found: "libxml2 \(XMLLibrary.version)"))
    }
    return names.namesOfDocument <= limits.names || fail(.xmlNames, limits.names)
  }

  /// The error of the limit that an element exceeds.
  @inline(never)
  private mutating func refuse(_ attributeCount: Int) -> Bool {
    if elementCount > limits.elements { return fail(.xmlElements, limits.elements) }
    if depth >= limits.depth { return fail(.xmlDepth, limits.depth) }
    if attributeCount > limits.attributes { return fail(.xmlAttributes, limits.attributes) }
    return fail(.xmlNamespaces, limits.namespaces)
  }

  private mutating func fail(_ code: TokenError.Code, _ limit: Int) -> Bool {
    fail(TokenError(code, expected: "at most \(limit)"))
  }

  private mutating func fail(_ error: TokenError) -> Bool {
    if failure == nil { failure = error }
    return false
  }

  /// libxml2 searches the declarations in scope one by one for every prefixed name.
  private static let namespacesInScopeLimit = 512
}
