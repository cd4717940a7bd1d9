import CLibXML2
import Octets
import TokenErrors

/// Collects libxml2's SAX2 events into the arrays of a ``Document``.
///
/// A value behind a pointer, not an object: the callbacks change it in place, without an exclusivity
/// check at every touch.
@safe struct TreeBuilder: ~Copyable {
  private var nodes: Row<Document.Node>
  private var attributes: Row<Document.Attribute>
  private var namespaces = Row<Document.NamespaceDeclaration>()
  private var pool: OctetWriter
  /// The element that is open, 0 for none, and how many are.
  private var innermost: UInt32 = 0
  private var depth = 0
  private var namespacesInScope = 0
  private var elementCount = 0
  private var names: NameTable
  private let limits: Limits
  private var root: UInt32 = 0
  private(set) var failure: TokenError?

  init(names: consuming NameTable, byteCount: Int, tagCount: Int, limits: Limits) {
    self.names = names
    self.names.beginDocument()
    self.limits = limits
    nodes = Row(capacity: tagCount + tagCount / 2 + 8)
    attributes = Row(capacity: tagCount / 2 + 16)
    pool = OctetWriter(capacity: byteCount)
    nodes.append(Document.Node(kind: .document, parent: 0, end: 0))
  }

  /// Whether a document element was seen and closed.
  var hasRoot: Bool { root != 0 && depth == 0 }

  /// Whether every element that was opened is closed again.
  var isClosed: Bool { depth == 0 }

  /// Bytes of text and attribute values so far.
  var textCount: Int { pool.count }

  /// Declares on the document element, which was just opened, what is in scope around it: so the part
  /// of a document becomes a document.
  mutating func declare(_ inherited: [ScopedNamespace]) {
    guard root != 0, nodes.count == Int(root) + 1 else { return }
    // From the inside out: an inner declaration hides an outer one.
    for declaration in inherited.reversed() {
      let prefix = unsafe names.atom(declaration.prefix)
      guard !isDeclared(prefix) else { continue }
      let uri = unsafe names.atom(declaration.uri)
      namespaces.append(Document.NamespaceDeclaration(prefix: prefix, uri: uri))
      nodes[Int(root)].namespaceCount &+= 1
      namespacesInScope &+= 1
    }
  }

  private func isDeclared(_ prefix: UInt32) -> Bool {
    for place in namespaces.indices where namespaces[place].prefix == prefix { return true }
    return false
  }

  /// Ends the build and gives back the name table for the next document.
  consuming func finish(_ names: inout NameTable?) -> Document {
    nodes[0].end = UInt32(nodes.count)
    let vocabulary = self.names.vocabulary
    let storage = Document.Storage(
      nodes: nodes, attributes: attributes, namespaces: namespaces, pool: pool.bytes,
      vocabulary: vocabulary, root: root)
    let table = self.names
    names = consume table
    return Document(storage: storage)
  }

  /// Answers whether parsing may go on.
  mutating func startElement(
    local: UnsafePointer<xmlChar>, prefix: UnsafePointer<xmlChar>?, uri: UnsafePointer<xmlChar>?,
    namespaceCount: Int, namespaceList: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?,
    attributeCount: Int, attributeList: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  ) -> Bool {
    elementCount &+= 1
    guard elementCount <= limits.elements else {
      return fail(.xmlElements, limits.elements)
    }
    guard depth < limits.depth else { return fail(.xmlDepth, limits.depth) }
    guard attributeCount <= limits.attributes else {
      return fail(.xmlAttributes, limits.attributes)
    }
    namespacesInScope &+= namespaceCount
    guard namespaceCount <= limits.namespaces, namespacesInScope <= Self.namespacesInScopeLimit
    else { return fail(.xmlNamespaces, limits.namespaces) }

    let index = UInt32(truncatingIfNeeded: nodes.count)
    if depth == 0 { root = index }
    let name = unsafe names.name(local: local, prefix: prefix, uri: uri)
    nodes.append(
      Document.Node(
        kind: .element, attributeCount: UInt16(truncatingIfNeeded: attributeCount),
        namespaceCount: UInt16(truncatingIfNeeded: namespaceCount),
        name: name.number, known: name.known,
        first: UInt32(truncatingIfNeeded: attributes.count),
        second: UInt32(truncatingIfNeeded: namespaces.count), parent: innermost, end: 0))
    innermost = index
    depth &+= 1

    if namespaceCount > 0, let list = unsafe namespaceList {
      for position in 0..<namespaceCount {
        let prefix = unsafe names.atom(list[2 * position])
        let uri = unsafe names.atom(list[2 * position + 1])
        guard names.isNamespaceName(uri) else {
          return fail(TokenError(.namespaceURI, found: TokenError.excerpt(names.text(uri))))
        }
        namespaces.append(Document.NamespaceDeclaration(prefix: prefix, uri: uri))
      }
    }
    if attributeCount > 0, let list = unsafe attributeList {
      for position in 0..<attributeCount {
        // local name, prefix, URI, start and end of the value
        let entry = unsafe list + 5 * position
        guard let local = unsafe entry[0], let start = unsafe entry[3], let end = unsafe entry[4]
        else { continue }
        let name = unsafe names.name(local: local, prefix: entry[1], uri: entry[2])
        let first = pool.count
        unsafe appendAttributeValue(UnsafeBufferPointer(start: start, count: end - start))
        attributes.append(
          Document.Attribute(
            name: name.number, known: name.known, start: UInt32(truncatingIfNeeded: first),
            count: UInt32(truncatingIfNeeded: pool.count &- first)))
      }
    }
    return isWithinNames()
  }

  mutating func endElement() {
    guard depth > 0 else { return }
    nodes[Int(innermost)].end = UInt32(truncatingIfNeeded: nodes.count)
    let closed = nodes[Int(innermost)]
    namespacesInScope &-= Int(closed.namespaceCount)
    innermost = closed.parent
    depth &-= 1
  }

  /// Text comes in several events; neighbours are one node.
  mutating func text(_ bytes: UnsafeBufferPointer<xmlChar>) {
    let start = pool.count
    unsafe pool.append(bytes.span)
    let last = nodes.count &- 1
    if nodes[last].kind == .text, nodes[last].parent == innermost {
      nodes[last].second &+= UInt32(truncatingIfNeeded: bytes.count)
    } else {
      appendLeaf(.text, name: 0, from: start)
    }
  }

  mutating func comment(_ bytes: UnsafeBufferPointer<xmlChar>) {
    let start = pool.count
    unsafe pool.append(bytes.span)
    appendLeaf(.comment, name: 0, from: start)
  }

  /// Answers whether parsing may go on.
  mutating func processingInstruction(
    target: UnsafePointer<xmlChar>, _ data: UnsafeBufferPointer<xmlChar>
  ) -> Bool {
    let start = pool.count
    unsafe pool.append(data.span)
    appendLeaf(.processingInstruction, name: unsafe names.atom(target), from: start)
    return isWithinNames()
  }

  mutating func doctype() { _ = fail(TokenError(.doctype)) }

  private mutating func appendLeaf(_ kind: Document.Node.Kind, name: UInt32, from start: Int) {
    let index = UInt32(truncatingIfNeeded: nodes.count)
    nodes.append(
      Document.Node(
        kind: kind, name: name, first: UInt32(truncatingIfNeeded: start),
        second: UInt32(truncatingIfNeeded: pool.count &- start), parent: innermost,
        end: index &+ 1))
  }

  /// libxml2 hands `&` in a value back as `&#38;`, because it leaves entities alone; every `&` there
  /// is one of these, since references to other entities do not get this far.
  private mutating func appendAttributeValue(_ value: UnsafeBufferPointer<xmlChar>) {
    let isPlain = unsafe pool.append(
      value.span, unless: { ByteVector.equal(UInt8(ascii: "&"), $0) })
    guard !isPlain else { return }
    var index = 0
    while index < value.count {
      let byte = unsafe value[index]
      pool.append(byte)
      index += byte == UInt8(ascii: "&") ? 5 : 1
    }
  }

  /// libxml2's dictionary slows down when it holds tens of thousands of names.
  private mutating func isWithinNames() -> Bool {
    names.namesOfDocument <= limits.names || fail(.xmlNames, limits.names)
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
