package import Octets

/// Writes the canonical octets of a subtree, in one pass over its nodes.
///
/// The cost is linear in the subtree and the declarations above it: which URI was last written for a
/// prefix is one array access, undone when the element that wrote it ends.
package struct Canonicalizer: ~Copyable {
  private let storage: Document.Storage
  private let subtree: Subtree
  private let method: CanonicalizationMethod

  /// By prefix atom: the URI atom that the nearest output ancestor wrote; 0 for none.
  private var written: [UInt32]
  /// By prefix atom: whether the prefix list names it.
  private var isListed: [Bool]
  private var undo: [(prefix: UInt32, uri: UInt32)] = []
  private var open: [(node: UInt32, undoMark: Int)] = []
  private var declarations: [Document.NamespaceDeclaration] = []
  private var attributes: [Document.Attribute] = []
  private let xmlPrefix: UInt32

  /// Appends the canonical form of `subtree` to `output`.
  package static func write(
    _ subtree: Subtree, _ method: CanonicalizationMethod, to output: inout OctetWriter
  ) {
    var canonicalizer = Canonicalizer(subtree, method)
    canonicalizer.write(to: &output)
  }

  /// The canonical form of `subtree`.
  package static func octets(_ subtree: Subtree, _ method: CanonicalizationMethod) -> [UInt8] {
    var output = OctetWriter()
    write(subtree, method, to: &output)
    return output.bytes
  }

  private init(_ subtree: Subtree, _ method: CanonicalizationMethod) {
    storage = subtree.document.storage
    self.subtree = subtree
    self.method = method
    let vocabulary = storage.vocabulary
    written = Array(repeating: 0, count: vocabulary.atoms.count)
    isListed = Array(repeating: false, count: vocabulary.atoms.count)
    xmlPrefix = vocabulary.xmlAtom ?? .max
    if method.algorithm == .exclusive {
      for prefix in method.inclusivePrefixes {
        if let atom = prefix == "#default" ? 0 : vocabulary.atom(of: prefix) {
          isListed[Int(atom)] = true
        }
      }
    }
  }

  private mutating func write(to output: inout OctetWriter) {
    let end = storage.nodes[Int(subtree.apex)].end
    var index = subtree.apex
    var isAfterRoot = false
    while index < end {
      while let last = open.last, index >= storage.nodes[Int(last.node)].end {
        endElement(last, &output)
        if open.isEmpty { isAfterRoot = true }
      }
      let node = storage.nodes[Int(index)]
      if index == subtree.omitted {
        index = node.end
        continue
      }
      switch node.kind {
      case .document:
        break
      case .element:
        startElement(index, node, &output)
      case .text:
        Escaping.writeText(storage.pool, node.textRange, to: &output)
      case .comment:
        if method.withComments { writeComment(node, isAfterRoot, &output) }
      case .processingInstruction:
        writeInstruction(node, isAfterRoot, &output)
      }
      index &+= 1
    }
    while let last = open.last { endElement(last, &output) }
  }

  // MARK: Elements

  private mutating func startElement(
    _ index: UInt32, _ node: Document.Node, _ output: inout OctetWriter
  ) {
    let isApex = open.isEmpty
    let undoMark = undo.count
    declarations.removeAll(keepingCapacity: true)
    if isApex { collectDeclarationsAbove(index) }
    switch method.algorithm {
    case .exclusive: collectUsedDeclarations(node)
    case .inclusive10, .inclusive11: collectAllDeclarations(node)
    }
    attributes.removeAll(keepingCapacity: true)
    attributes.append(contentsOf: storage.attributes[node.attributeRange])
    var inherited = OctetWriter(capacity: 64)
    if isApex, method.algorithm != .exclusive {
      InheritedAttributes.collect(index, storage, method.algorithm, &attributes, &inherited)
    }

    output.append(ASCII.lessThan)
    writeName(node.name, &output)
    writeDeclarations(&output)
    writeAttributes(inherited: inherited.bytes, &output)
    output.append(UInt8(ascii: ">"))
    open.append((index, undoMark))
  }

  private mutating func endElement(
    _ element: (node: UInt32, undoMark: Int), _ output: inout OctetWriter
  ) {
    output.append("</")
    writeName(storage.nodes[Int(element.node)].name, &output)
    output.append(UInt8(ascii: ">"))
    while undo.count > element.undoMark, let change = undo.popLast() {
      written[Int(change.prefix)] = change.uri
    }
    open.removeLast()
  }

  @inline(__always)
  private func writeName(_ name: UInt32, _ output: inout OctetWriter) {
    let range = storage.vocabulary.names[Int(name)].qualified.range
    output.append(storage.vocabulary.bytes, range)
  }

  // MARK: Namespaces

  /// The apex takes over what its ancestors declare: all of it under inclusive canonicalization, the
  /// listed prefixes under exclusive.
  private mutating func collectDeclarationsAbove(_ index: UInt32) {
    guard method.algorithm != .exclusive || !method.inclusivePrefixes.isEmpty else { return }
    var ancestors: [UInt32] = []
    var current = storage.nodes[Int(index)].parent
    while current != 0 {
      ancestors.append(current)
      current = storage.nodes[Int(current)].parent
    }
    var inScope: [UInt32: UInt32] = [:]
    for ancestor in ancestors.reversed() {
      for declaration in storage.namespaces[storage.nodes[Int(ancestor)].namespaceRange] {
        inScope[declaration.prefix] = declaration.uri
      }
    }
    // What the apex itself declares takes precedence.
    for declaration in storage.namespaces[storage.nodes[Int(index)].namespaceRange] {
      inScope[declaration.prefix] = nil
    }
    for (prefix, uri) in inScope where method.algorithm != .exclusive || isListed[Int(prefix)] {
      declare(prefix, uri)
    }
  }

  /// Canonical XML 1.0, 2.3: every declaration that says something new.
  private mutating func collectAllDeclarations(_ node: Document.Node) {
    for declaration in storage.namespaces[node.namespaceRange] {
      declare(declaration.prefix, declaration.uri)
    }
  }

  /// Exclusive XML Canonicalization 1.0, 3: what the names of this element and its attributes use,
  /// and what the prefix list names.
  private mutating func collectUsedDeclarations(_ node: Document.Node) {
    if node.namespaceCount > 0, !method.inclusivePrefixes.isEmpty {
      for declaration in storage.namespaces[node.namespaceRange]
      where isListed[Int(declaration.prefix)] {
        declare(declaration.prefix, declaration.uri)
      }
    }
    let name = storage.vocabulary.names[Int(node.name)]
    declare(name.prefix, name.uri)
    for attribute in storage.attributes[node.attributeRange] {
      let name = storage.vocabulary.names[Int(attribute.name)]
      if name.prefix != 0 { declare(name.prefix, name.uri) }
    }
  }

  /// Notes a declaration, unless the nearest output ancestor already made it.
  private mutating func declare(_ prefix: UInt32, _ uri: UInt32) {
    guard prefix != xmlPrefix, written[Int(prefix)] != uri else { return }
    undo.append((prefix, written[Int(prefix)]))
    written[Int(prefix)] = uri
    declarations.append(Document.NamespaceDeclaration(prefix: prefix, uri: uri))
  }

  private mutating func writeDeclarations(_ output: inout OctetWriter) {
    guard !declarations.isEmpty else { return }
    let vocabulary = storage.vocabulary
    if declarations.count > 1 {
      declarations.sort { vocabulary.precedes($0.prefix, $1.prefix) }
    }
    for declaration in declarations {
      if declaration.prefix == 0 {
        output.append(" xmlns=\"")
      } else {
        output.append(" xmlns:")
        output.append(vocabulary.bytes, vocabulary.atoms[Int(declaration.prefix)].range)
        output.append("=\"")
      }
      Escaping.writeAttribute(
        vocabulary.bytes, vocabulary.atoms[Int(declaration.uri)].range, to: &output)
      output.append(UInt8(ascii: "\""))
    }
  }

  // MARK: Attributes and leaves

  /// Attributes in the order of namespace URI, then local name; values of inherited ones come from
  /// their own buffer when they had to be computed.
  private mutating func writeAttributes(inherited: [UInt8], _ output: inout OctetWriter) {
    let vocabulary = storage.vocabulary
    if attributes.count > 1 {
      attributes.sort { left, right in
        let left = vocabulary.names[Int(left.name)]
        let right = vocabulary.names[Int(right.name)]
        if left.uri != right.uri { return vocabulary.precedes(left.uri, right.uri) }
        return vocabulary.precedes(left.local, right.local)
      }
    }
    for attribute in attributes {
      output.append(ASCII.space)
      writeName(attribute.name, &output)
      output.append("=\"")
      if attribute.start & InheritedAttributes.computed == 0 {
        Escaping.writeAttribute(storage.pool, attribute.range, to: &output)
      } else {
        let start = Int(attribute.start & ~InheritedAttributes.computed)
        Escaping.writeAttribute(
          inherited, start..<start + Int(attribute.count), to: &output)
      }
      output.append(UInt8(ascii: "\""))
    }
  }

  private func writeComment(
    _ node: Document.Node, _ isAfterRoot: Bool, _ output: inout OctetWriter
  ) {
    if isAfterRoot { output.append(ASCII.lineFeed) }
    output.append("<!--")
    Escaping.writeLineEnds(storage.pool, node.textRange, to: &output)
    output.append("-->")
    if node.parent == 0, !isAfterRoot { output.append(ASCII.lineFeed) }
  }

  private func writeInstruction(
    _ node: Document.Node, _ isAfterRoot: Bool, _ output: inout OctetWriter
  ) {
    let vocabulary = storage.vocabulary
    if isAfterRoot { output.append(ASCII.lineFeed) }
    output.append("<?")
    output.append(vocabulary.bytes, vocabulary.atoms[Int(node.name)].range)
    if node.second > 0 {
      output.append(ASCII.space)
      Escaping.writeLineEnds(storage.pool, node.textRange, to: &output)
    }
    output.append("?>")
    if node.parent == 0, !isAfterRoot { output.append(ASCII.lineFeed) }
  }
}
