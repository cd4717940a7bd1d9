package import Octets

/// Writes the canonical octets of a subtree, in one pass over its nodes.
///
/// The cost is linear in the subtree and in what is declared above it. Nodes stand in document order,
/// so the walk needs no recursion and no stack: an element ends where its record says.
package struct Canonicalizer: ~Copyable {
  private let nodes: [Document.Node]
  private let attributes: [Document.Attribute]
  private let namespaces: [Document.NamespaceDeclaration]
  private let pool: [UInt8]
  private let vocabulary: Vocabulary
  private let root: UInt32
  private let method: CanonicalizationMethod
  private let isExclusive: Bool
  private let xmlPrefix: UInt32

  private var rendered = RenderedNamespaces()
  /// The attributes of the element that is being written, where they have to be sorted.
  private var sorted: [Document.Attribute] = []
  /// The `xml:base` of the apex, where it had to be computed.
  private var joinedBase: [UInt8] = []

  /// Appends the canonical form of `subtree` to `output`.
  package static func write(
    _ subtree: Subtree, _ method: CanonicalizationMethod, to output: inout OctetWriter
  ) {
    var canonicalizer = Canonicalizer(subtree.document.storage, method)
    canonicalizer.write(subtree, to: &output)
  }

  /// The canonical form of `subtree`.
  package static func octets(_ subtree: Subtree, _ method: CanonicalizationMethod) -> [UInt8] {
    var output = OctetWriter()
    write(subtree, method, to: &output)
    return output.bytes
  }

  private init(_ storage: Document.Storage, _ method: CanonicalizationMethod) {
    nodes = storage.nodes
    attributes = storage.attributes
    namespaces = storage.namespaces
    pool = storage.pool
    vocabulary = storage.vocabulary
    root = storage.root
    self.method = method
    isExclusive = method.algorithm == .exclusive
    xmlPrefix = storage.vocabulary.xmlAtom ?? .max
  }

  private mutating func write(_ subtree: Subtree, to output: inout OctetWriter) {
    let omitted = subtree.omitted ?? .max
    let end = nodes[Int(subtree.apex)].end
    var index = subtree.apex
    // The innermost open element, 0 for none, and where it ends.
    var open: UInt32 = 0
    var openEnd = end
    while index < end {
      let node = nodes[Int(index)]
      if index == omitted {
        index = node.end
      } else {
        switch node.kind {
        case .document:
          break
        case .element:
          startElement(index, node, isApex: open == 0, &output)
          open = index
          openEnd = node.end
        case .text:
          Escaping.writeText(pool, node.textRange, to: &output)
        case .comment:
          if method.withComments { writeComment(index, node, &output) }
        case .processingInstruction:
          writeInstruction(index, node, &output)
        }
        index &+= 1
      }
      while open != 0, index >= openEnd {
        endElement(open, &output)
        open = open == subtree.apex ? 0 : nodes[Int(open)].parent
        openEnd = nodes[Int(open)].end
      }
    }
  }

  // MARK: Elements

  private mutating func startElement(
    _ index: UInt32, _ node: Document.Node, isApex: Bool, _ output: inout OctetWriter
  ) {
    output.append(UInt8(ascii: "<"))
    writeName(node.name, &output)

    let mark = rendered.count
    if isApex { renderScope(of: index) }
    if isExclusive {
      renderUsed(index, node)
    } else if node.namespaceCount > 0, !isApex {
      for declaration in namespaces[node.namespaceRange] {
        rendered.add(declaration, to: index)
      }
    }
    if rendered.count > mark { writeDeclarations(since: mark, &output) }

    if isApex, !isExclusive {
      writeInheriting(index, node, &output)
    } else if node.attributeCount > 0 {
      writeAttributes(node, &output)
    }
    output.append(UInt8(ascii: ">"))
  }

  private mutating func endElement(_ index: UInt32, _ output: inout OctetWriter) {
    output.append(literal: "</")
    writeName(nodes[Int(index)].name, &output)
    output.append(UInt8(ascii: ">"))
    rendered.remove(from: index)
  }

  @inline(__always)
  private func writeName(_ name: UInt32, _ output: inout OctetWriter) {
    output.append(vocabulary.bytes, vocabulary.names[Int(name)].qualified.range)
  }

  // MARK: Namespaces

  /// What the apex declares or takes over from its ancestors, the nearest first: everything under
  /// inclusive canonicalization, the listed prefixes under exclusive.
  private mutating func renderScope(of apex: UInt32) {
    guard !isExclusive || !method.inclusivePrefixes.isEmpty else { return }
    var isDefaultKnown = false
    var current = apex
    while current != 0 {
      let node = nodes[Int(current)]
      for declaration in namespaces[node.namespaceRange] where isRendered(declaration.prefix) {
        if declaration.prefix == 0 {
          // A default namespace that was switched off hides those further out.
          if isDefaultKnown { continue }
          isDefaultKnown = true
        }
        if rendered.uri(for: declaration.prefix) == 0 { rendered.add(declaration, to: apex) }
      }
      current = node.parent
    }
  }

  /// Exclusive XML Canonicalization 1.0, 3: the declarations that the names of this element and its
  /// attributes use, and those that the prefix list names.
  private mutating func renderUsed(_ index: UInt32, _ node: Document.Node) {
    if node.namespaceCount > 0, !method.inclusivePrefixes.isEmpty {
      for declaration in namespaces[node.namespaceRange] where isRendered(declaration.prefix) {
        rendered.add(declaration, to: index)
      }
    }
    renderUsed(node.name, by: index)
    for attribute in attributes[node.attributeRange]
    where vocabulary.names[Int(attribute.name)].prefix != 0 {
      renderUsed(attribute.name, by: index)
    }
  }

  @inline(__always)
  private mutating func renderUsed(_ name: UInt32, by index: UInt32) {
    let name = vocabulary.names[Int(name)]
    guard name.prefix != xmlPrefix else { return }
    rendered.add(Document.NamespaceDeclaration(prefix: name.prefix, uri: name.uri), to: index)
  }

  /// Whether declarations of this prefix are treated as inclusive canonicalization treats all.
  private func isRendered(_ prefix: UInt32) -> Bool {
    guard isExclusive else { return true }
    guard prefix != 0 else { return method.inclusivePrefixes.contains("#default") }
    let bytes = vocabulary.bytes[vocabulary.atoms[Int(prefix)].range]
    return method.inclusivePrefixes.contains {
      $0.utf8.count == bytes.count && $0.utf8.elementsEqual(bytes)
    }
  }

  private mutating func writeDeclarations(since mark: Int, _ output: inout OctetWriter) {
    rendered.sort(since: mark, vocabulary)
    for position in mark..<rendered.count {
      let declaration = rendered[position]
      if declaration.prefix == 0 {
        output.append(literal: " xmlns=\"")
      } else {
        output.append(literal: " xmlns:")
        output.append(vocabulary.bytes, vocabulary.atoms[Int(declaration.prefix)].range)
        output.append(literal: "=\"")
      }
      Escaping.writeAttribute(
        vocabulary.bytes, vocabulary.atoms[Int(declaration.uri)].range, to: &output)
      output.append(UInt8(ascii: "\""))
    }
  }

  // MARK: Attributes

  private mutating func writeAttributes(_ node: Document.Node, _ output: inout OctetWriter) {
    let range = node.attributeRange
    if isInOrder(range) {
      for position in range { writeAttribute(attributes[position], &output) }
    } else {
      sorted.removeAll(keepingCapacity: true)
      sorted.append(contentsOf: attributes[range])
      writeSorted(&output)
    }
  }

  /// The apex comes first, so ``sorted`` is still empty.
  private mutating func writeInheriting(
    _ index: UInt32, _ node: Document.Node, _ output: inout OctetWriter
  ) {
    sorted.append(contentsOf: attributes[node.attributeRange])
    let inherited = InheritedAttributes(nodes, attributes, pool, vocabulary)
    joinedBase = inherited.collect(for: index, method.algorithm, &sorted)
    writeSorted(&output)
  }

  private mutating func writeSorted(_ output: inout OctetWriter) {
    sorted.sort { vocabulary.isAttribute($0.name, before: $1.name) }
    for attribute in sorted { writeAttribute(attribute, &output) }
  }

  private func isInOrder(_ range: Range<Int>) -> Bool {
    var position = range.lowerBound &+ 1
    while position < range.upperBound {
      let name = attributes[position].name
      if vocabulary.isAttribute(name, before: attributes[position &- 1].name) { return false }
      position &+= 1
    }
    return true
  }

  @inline(__always)
  private func writeAttribute(_ attribute: Document.Attribute, _ output: inout OctetWriter) {
    output.append(UInt8(ascii: " "))
    writeName(attribute.name, &output)
    output.append(literal: "=\"")
    if attribute.start == InheritedAttributes.joined {
      Escaping.writeAttribute(joinedBase, joinedBase.indices, to: &output)
    } else {
      Escaping.writeAttribute(pool, attribute.range, to: &output)
    }
    output.append(UInt8(ascii: "\""))
  }

  // MARK: Leaves

  private func writeComment(
    _ index: UInt32, _ node: Document.Node, _ output: inout OctetWriter
  ) {
    startLeaf(index, node, &output)
    output.append(literal: "<!--")
    Escaping.writeLineEnds(pool, node.textRange, to: &output)
    output.append(literal: "-->")
    endLeaf(index, node, &output)
  }

  private func writeInstruction(
    _ index: UInt32, _ node: Document.Node, _ output: inout OctetWriter
  ) {
    startLeaf(index, node, &output)
    output.append(literal: "<?")
    output.append(vocabulary.bytes, vocabulary.atoms[Int(node.name)].range)
    if node.second > 0 {
      output.append(UInt8(ascii: " "))
      Escaping.writeLineEnds(pool, node.textRange, to: &output)
    }
    output.append(literal: "?>")
    endLeaf(index, node, &output)
  }

  /// Canonical XML 1.0, 2.3: outside the document element a line feed divides nodes, before it at the
  /// end of each, after it at the start.
  private func startLeaf(_ index: UInt32, _ node: Document.Node, _ output: inout OctetWriter) {
    if node.parent == 0, index > root { output.append(ASCII.lineFeed) }
  }

  private func endLeaf(_ index: UInt32, _ node: Document.Node, _ output: inout OctetWriter) {
    if node.parent == 0, index < root { output.append(ASCII.lineFeed) }
  }
}
