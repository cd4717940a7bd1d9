package import Octets

/// Writes the canonical octets of a document that arrives in parts (``DocumentStream``).
///
/// Between the parts it keeps the end tags of the elements that are open and the namespaces that they declare in the
/// output, so memory does not grow with the document. Comments are left out.
package struct CanonicalStream {
  private struct OpenElement {
    let endTag: [UInt8]
    /// How many namespaces its start tag declares in the output.
    let declarationCount: Int
  }

  private let method: CanonicalizationMethod
  /// What the elements that are open declare in the output.
  package private(set) var namespaces = OuterNamespaces()
  private var open: [OpenElement] = []
  private var hasRoot = false

  /// - Parameter method: A method without comments.
  package init(_ method: CanonicalizationMethod) { self.method = method }

  /// Appends the start tag of an element whose content follows in parts.
  package mutating func start(_ container: Element, to output: inout OctetWriter) {
    hasRoot = true
    let tree = container.storage
    var canonicalizer = Canonicalizer(tree, method, inside: namespaces)
    let mark = canonicalizer.rendered.count
    canonicalizer.startElement(tree, container.node, container.record, inside: nil, &output)
    let name = tree.vocabulary[container.record.name]
    let added = (mark..<canonicalizer.rendered.count).map { canonicalizer.rendered[$0] }
    for declaration in added { namespaces.add(declaration, of: tree.vocabulary) }
    open.append(
      OpenElement(
        endTag: Array(tree.vocabulary.bytes[name.endTag]), declarationCount: added.count))
  }

  /// Appends the end tag of the element that opened last.
  package mutating func end(to output: inout OctetWriter) {
    guard let last = open.popLast() else { return }
    output.append(last.endTag.span)
    namespaces.removeLast(last.declarationCount)
  }

  /// Appends the canonical form of a child of the element that opened last, or of the document element; lends it, in
  /// pieces, where it is long.
  package mutating func write(
    _ part: Subtree, to output: inout OctetWriter, _ take: (Span<UInt8>) -> Void
  ) {
    hasRoot = true
    let tree = part.document.storage
    namespaces.locate(in: tree.vocabulary)
    var canonicalizer = Canonicalizer(tree, method, inside: namespaces)
    canonicalizer.write(
      tree, part.apex, omitting: part.omitted, inPartsOf: Canonicalizer.partCount, &output, take)
  }

  /// Appends text between the children of the element that opened last.
  package func text(_ text: [UInt8], to output: inout OctetWriter) {
    Escaping.writeText(text, text.indices, to: &output)
  }

  /// Appends a processing instruction between parts, or beside the document element (Canonical XML 1.0, 2.3).
  package func instruction(_ target: [UInt8], _ data: [UInt8], to output: inout OctetWriter) {
    let isOutside = open.isEmpty
    if isOutside, hasRoot { output.append(ASCII.lineFeed) }
    output.append(literal: "<?")
    output.append(target.span)
    if !data.isEmpty {
      output.append(UInt8(ascii: " "))
      Escaping.writeLineEnds(data, data.indices, to: &output)
    }
    output.append(literal: "?>")
    if isOutside, !hasRoot { output.append(ASCII.lineFeed) }
  }
}

/// The namespaces that the elements around a part of a document declare in the canonical octets, outermost first.
package struct OuterNamespaces: Sendable {
  private struct Entry: Sendable {
    let prefix: [UInt8]
    let uri: [UInt8]
    /// Where the vocabulary of the last part had both; most parts have the same.
    var declaration: Document.NamespaceDeclaration
  }

  private var entries: [Entry] = []

  package init() {}

  /// The namespace that is declared last for the prefix; nil for none.
  package func uri(forPrefix prefix: String) -> String? {
    entries.last { $0.prefix.elementsEqual(prefix.utf8) }.map {
      String(decoding: $0.uri, as: UTF8.self)
    }
  }

  mutating func add(_ declaration: Document.NamespaceDeclaration, of vocabulary: Vocabulary) {
    entries.append(
      Entry(
        prefix: Array(vocabulary.bytes[vocabulary[declaration.prefix]]),
        uri: Array(vocabulary.bytes[vocabulary[declaration.uri]]), declaration: declaration))
  }

  mutating func removeLast(_ count: Int) { entries.removeLast(count) }

  /// Finds the entries in the vocabulary of the next part.
  mutating func locate(in vocabulary: Vocabulary) {
    for place in entries.indices {
      entries[place].declaration.prefix = vocabulary.atom(
        entries[place].prefix, expectedAt: entries[place].declaration.prefix)
      entries[place].declaration.uri = vocabulary.atom(
        entries[place].uri, expectedAt: entries[place].declaration.uri)
    }
  }

  /// The entries in a vocabulary in which they were located. One that the vocabulary lacks has an atom that is equal to
  /// none of its own.
  func declarations(in vocabulary: Vocabulary) -> [Document.NamespaceDeclaration] {
    entries.map { entry in
      Document.NamespaceDeclaration(
        prefix: vocabulary.atom(entry.prefix, expectedAt: entry.declaration.prefix),
        uri: vocabulary.atom(entry.uri, expectedAt: entry.declaration.uri))
    }
  }
}

extension Vocabulary {
  /// The atom with these octets; without one, an atom that is equal to none of the vocabulary.
  ///
  /// - Parameter expected: The atom to look at first.
  fileprivate func atom(_ text: [UInt8], expectedAt expected: AtomIndex) -> AtomIndex {
    if text.isEmpty { return .empty }
    if Int(expected.position) < atoms.count, has(text, expected) { return expected }
    for place in 1..<max(atoms.count, 1) where has(text, AtomIndex(place)) {
      return AtomIndex(place)
    }
    return AtomIndex(position: .max)
  }

  private func has(_ text: [UInt8], _ atom: AtomIndex) -> Bool {
    Bytes.areEqual(bytes, self[atom], text, text.indices)
  }
}
