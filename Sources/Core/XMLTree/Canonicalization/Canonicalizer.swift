package import Octets

/// Writes the canonical octets of a subtree, in one pass over its nodes.
///
/// The cost is linear in the subtree and in what is declared above it. Nodes are in document order,
/// so the walk needs no recursion and no stack: an element's record holds its end.
///
/// What is read (the tree) is handed from function to function and what changes is kept here: a tree
/// inside of a value that changes would be counted again at every look.
package struct Canonicalizer: ~Copyable {
  typealias Tree = Document.Storage

  private let method: CanonicalizationMethod
  private let isExclusive: Bool
  private let xmlPrefix: AtomIndex?
  /// Whether the apex is a child of what ``rendered`` begins with.
  private let isPart: Bool

  private(set) var rendered = RenderedNamespaces()
  /// The attributes of the element that is being written, where they have to be sorted.
  private var sorted: [Document.Attribute] = []

  /// Appends the canonical form of `subtree` to `output`.
  package static func write(
    _ subtree: Subtree, _ method: CanonicalizationMethod, to output: inout OctetWriter
  ) {
    let tree = subtree.document.storage
    var canonicalizer = Canonicalizer(tree, method)
    canonicalizer.write(tree, subtree.apex, omitting: subtree.omitted, inPartsOf: .max, &output) {
      _ in
    }
  }

  /// Lends the canonical form of `subtree` part by part, so that a long one never is in memory as a whole.
  ///
  /// - Parameter scratch: Of ``scratch(for:)``; what it has is forgotten.
  package static func read(
    _ subtree: Subtree, _ method: CanonicalizationMethod, _ scratch: inout OctetWriter,
    _ take: (Span<UInt8>) -> Void
  ) {
    let tree = subtree.document.storage
    var canonicalizer = Canonicalizer(tree, method)
    scratch.removeAll()
    canonicalizer.write(
      tree, subtree.apex, omitting: subtree.omitted, inPartsOf: partCount, &scratch, take)
    scratch.withBytes { take($0) }
  }

  /// Memory for the canonical forms of parts of a document.
  package static func scratch(for document: Document) -> OctetWriter {
    OctetWriter(capacity: 1024 + min(document.octets.count, partCount))
  }

  /// Octets of a part, about.
  static let partCount = 32 << 10

  /// The canonical form of `subtree`.
  package static func octets(_ subtree: Subtree, _ method: CanonicalizationMethod) -> [UInt8] {
    var output = OctetWriter()
    write(subtree, method, to: &output)
    return output.bytes
  }

  /// - Parameter outer: What the elements around the document carry in the output; nil where the document is whole.
  init(_ tree: Tree, _ method: CanonicalizationMethod, inside outer: OuterNamespaces? = nil) {
    self.method = method
    isExclusive = method.algorithm == .exclusive
    xmlPrefix = tree.vocabulary.xmlAtom
    isPart = outer != nil
    if let outer {
      for declaration in outer.declarations(in: tree.vocabulary) { rendered.addOuter(declaration) }
    }
  }

  mutating func write(
    _ tree: Tree, _ apex: NodeIndex, omitting omitted: NodeIndex?, inPartsOf partCount: Int,
    _ output: inout OctetWriter, _ take: (Span<UInt8>) -> Void
  ) {
    let end = tree.nodes[apex].end
    var index = apex
    // The innermost open element and where it ends.
    var open: NodeIndex?
    var openEnd = end
    while index < end {
      let node = tree.nodes[index]
      if output.count >= partCount {
        output.withBytes { take($0) }
        output.removeAll()
      }
      if index == omitted {
        index = node.end
      } else if open != nil, isCanonical(node, index, omitted) {
        if node.source.range.count >= partCount {
          output.withBytes { take($0) }
          output.removeAll()
          Bytes.lend(tree.octets, node.source.range) { take($0) }
        } else {
          output.append(tree.octets, node.source.range)
        }
        index = node.end
      } else {
        switch node.kind {
        case .document:
          break
        case .element:
          startElement(tree, index, node, inside: open, &output)
          if let text = onlyText(tree, index, node) {
            writeText(tree, text, &output)
            endElement(tree, index, &output)
            index = index.next
          } else {
            open = index
            openEnd = node.end
          }
        case .text:
          writeText(tree, node.textRange, &output)
        case .comment:
          if method.withComments { writeComment(tree, index, node, &output) }
        case .processingInstruction:
          writeInstruction(tree, index, node, &output)
        }
        index = index.next
      }
      while let ended = open, index >= openEnd {
        endElement(tree, ended, &output)
        open = outer(tree, ended, apex)
        openEnd = open.map { tree.nodes[$0].end } ?? end
      }
    }
  }

  /// The element around one that is written.
  @inline(__always)
  private func outer(_ tree: Tree, _ element: NodeIndex, _ apex: NodeIndex) -> NodeIndex? {
    guard element != apex else { return nil }
    let parent = tree.nodes[element].parent
    return parent == .document ? nil : parent
  }

  // MARK: Elements

  /// Whether the source of an element below the apex is already in canonical form.
  @inline(__always)
  private func isCanonical(
    _ node: Document.Node, _ index: NodeIndex, _ omitted: NodeIndex?
  ) -> Bool {
    guard node.canonicalPart == .whole else { return false }
    guard let omitted else { return true }
    return omitted < index || omitted >= node.end
  }

  /// The text of an element that holds nothing else, as most do: it need not be opened.
  @inline(__always)
  private func onlyText(_ tree: Tree, _ index: NodeIndex, _ node: Document.Node) -> Range<Int>? {
    guard node.end == index.next.next else { return nil }
    let only = tree.nodes[index.next]
    return only.kind == .text ? only.textRange : nil
  }

  /// - Parameter parent: The element around this one in the output; nil for the apex.
  mutating func startElement(
    _ tree: Tree, _ index: NodeIndex, _ node: Document.Node, inside parent: NodeIndex?,
    _ output: inout OctetWriter
  ) {
    let name = tree.vocabulary[node.name]
    let isApex = parent == nil && !isPart
    let declares = parent.map { mayDeclare(tree, node, inside: $0) } ?? true
    if !declares, node.attributeCount == 0 {
      output.append(tree.vocabulary.bytes, name.wholeStartTag)
      return
    }
    if !declares, node.canonicalPart == .startTag {
      output.append(tree.octets, node.source.range)
      output.append(UInt8(ascii: ">"))
      return
    }
    output.append(tree.vocabulary.bytes, name.startTag)
    if declares { declare(tree, index, node, isApex: isApex, &output) }
    if isApex, !isExclusive {
      writeInheriting(tree, index, node, &output)
    } else if node.attributeCount == 1 {
      writeAttribute(tree, tree.attributes[node.attributeRange.lowerBound], &output)
    } else if node.attributeCount > 0 {
      writeAttributes(tree, node, &output)
    }
    output.append(UInt8(ascii: ">"))
  }

  /// Whether an element below the apex may have to declare a namespace. Most do not: they declare none
  /// in the document, and use the one prefix that the element around them uses too.
  @inline(__always)
  private func mayDeclare(
    _ tree: Tree, _ node: Document.Node, inside parent: NodeIndex
  ) -> Bool {
    guard node.namespaceCount == 0 else { return true }
    guard isExclusive else { return false }
    let outer = tree.nodes[parent].name
    guard tree.vocabulary.isInSameNamespace(node.name, outer) else { return true }
    for place in node.attributeRange where hasPrefix(tree, tree.attributes[place]) { return true }
    return false
  }

  @inline(__always)
  private func hasPrefix(_ tree: Tree, _ attribute: Document.Attribute) -> Bool {
    tree.vocabulary[attribute.name].prefix != .empty
  }

  @inline(__always)
  private mutating func endElement(_ tree: Tree, _ index: NodeIndex, _ output: inout OctetWriter) {
    let name = tree.vocabulary[tree.nodes[index].name]
    output.append(tree.vocabulary.bytes, name.endTag)
    rendered.remove(from: index)
  }

  // MARK: Namespaces

  private mutating func declare(
    _ tree: Tree, _ index: NodeIndex, _ node: Document.Node, isApex: Bool,
    _ output: inout OctetWriter
  ) {
    let mark = rendered.count
    if isApex { renderScope(tree, of: index) }
    if isExclusive {
      renderUsed(tree, index, node)
    } else if !isApex {
      for place in node.namespaceRange {
        rendered.add(tree.namespaces[place], to: index)
      }
    }
    if rendered.count > mark { writeDeclarations(tree, since: mark, &output) }
  }

  /// What the apex declares or takes over from its ancestors, the nearest first: everything under
  /// inclusive canonicalization, the listed prefixes under exclusive.
  private mutating func renderScope(_ tree: Tree, of apex: NodeIndex) {
    guard !isExclusive || !method.inclusivePrefixes.isEmpty else { return }
    var isDefaultKnown = false
    var current = apex
    while current != .document {
      let node = tree.nodes[current]
      for place in node.namespaceRange where isRendered(tree, tree.namespaces[place].prefix) {
        let declaration = tree.namespaces[place]
        if declaration.prefix == .empty {
          // A default namespace that was switched off hides those further out.
          if isDefaultKnown { continue }
          isDefaultKnown = true
        }
        if rendered.uri(for: declaration.prefix) == .empty { rendered.add(declaration, to: apex) }
      }
      current = node.parent
    }
  }

  /// Exclusive XML Canonicalization 1.0, 3: the declarations that the names of this element and its
  /// attributes use, and those that the prefix list names.
  private mutating func renderUsed(_ tree: Tree, _ index: NodeIndex, _ node: Document.Node) {
    if node.namespaceCount > 0, !method.inclusivePrefixes.isEmpty {
      for place in node.namespaceRange where isRendered(tree, tree.namespaces[place].prefix) {
        rendered.add(tree.namespaces[place], to: index)
      }
    }
    renderUsed(tree, node.name, by: index)
    for place in node.attributeRange where hasPrefix(tree, tree.attributes[place]) {
      renderUsed(tree, tree.attributes[place].name, by: index)
    }
  }

  @inline(__always)
  private mutating func renderUsed(_ tree: Tree, _ name: NameIndex, by index: NodeIndex) {
    let name = tree.vocabulary[name]
    guard name.prefix != xmlPrefix else { return }
    rendered.add(Document.NamespaceDeclaration(prefix: name.prefix, uri: name.uri), to: index)
  }

  /// Whether declarations of this prefix are treated as inclusive canonicalization treats all.
  private func isRendered(_ tree: Tree, _ prefix: AtomIndex) -> Bool {
    guard isExclusive else { return true }
    guard prefix != .empty else { return method.inclusivePrefixes.contains("#default") }
    let bytes = tree.vocabulary.bytes[tree.vocabulary[prefix]]
    return method.inclusivePrefixes.contains {
      $0.utf8.count == bytes.count && $0.utf8.elementsEqual(bytes)
    }
  }

  private mutating func writeDeclarations(
    _ tree: Tree, since mark: Int, _ output: inout OctetWriter
  ) {
    rendered.sort(since: mark, tree.vocabulary)
    for position in mark..<rendered.count {
      let declaration = rendered[position]
      if declaration.prefix == .empty {
        output.append(literal: " xmlns=\"")
      } else {
        output.append(literal: " xmlns:")
        output.append(tree.vocabulary.bytes, tree.vocabulary[declaration.prefix])
        output.append(literal: "=\"")
      }
      Escaping.writeAttribute(
        tree.vocabulary.bytes, tree.vocabulary[declaration.uri], to: &output)
      output.append(UInt8(ascii: "\""))
    }
  }

  // MARK: Attributes

  private mutating func writeAttributes(
    _ tree: Tree, _ node: Document.Node, _ output: inout OctetWriter
  ) {
    let range = node.attributeRange
    if tree.vocabulary.isInOrder(tree.attributes, range) {
      for position in range { writeAttribute(tree, tree.attributes[position], &output) }
    } else {
      sorted.removeAll(keepingCapacity: true)
      for place in range { sorted.append(tree.attributes[place]) }
      writeSorted(tree, &output)
    }
  }

  /// The apex comes first, so ``sorted`` is still empty.
  private mutating func writeInheriting(
    _ tree: Tree, _ index: NodeIndex, _ node: Document.Node, _ output: inout OctetWriter
  ) {
    for place in node.attributeRange { sorted.append(tree.attributes[place]) }
    let base = InheritedAttributes(tree).collect(for: index, method.algorithm, &sorted)
    writeSorted(tree, joinedBase: base, &output)
  }

  private mutating func writeSorted(
    _ tree: Tree, joinedBase: InheritedAttributes.JoinedBase? = nil, _ output: inout OctetWriter
  ) {
    sorted.sort { tree.vocabulary.isAttribute($0.name, before: $1.name) }
    for attribute in sorted {
      if let joinedBase, attribute.name == joinedBase.name {
        writeBase(tree, joinedBase, &output)
      } else {
        writeAttribute(tree, attribute, &output)
      }
    }
  }

  private func writeBase(
    _ tree: Tree, _ base: InheritedAttributes.JoinedBase, _ output: inout OctetWriter
  ) {
    output.append(tree.vocabulary.bytes, tree.vocabulary[base.name].attribute)
    Escaping.writeAttribute(base.value, base.value.indices, to: &output)
    output.append(UInt8(ascii: "\""))
  }

  @inline(__always)
  private func writeAttribute(
    _ tree: Tree, _ attribute: Document.Attribute, _ output: inout OctetWriter
  ) {
    output.append(tree.vocabulary.bytes, tree.vocabulary[attribute.name].attribute)
    if tree.isPlain(attribute.range) {
      output.append(tree.octets, attribute.range)
    } else {
      Escaping.writeAttribute(tree.octets, attribute.range, to: &output)
    }
    output.append(UInt8(ascii: "\""))
  }

  // MARK: Leaves

  @inline(__always)
  private func writeText(_ tree: Tree, _ range: Range<Int>, _ output: inout OctetWriter) {
    if tree.isPlain(range) {
      output.append(tree.octets, range)
    } else {
      Escaping.writeText(tree.octets, range, to: &output)
    }
  }
}
