import Octets

/// The namespace declarations that the open elements of the output carry, outermost first.
///
/// Few are in scope at a time, and the parser bounds how many, so the last ones are scanned.
struct RenderedNamespaces {
  private struct Entry: BitwiseCopyable {
    var declaration = Document.NamespaceDeclaration(prefix: .empty, uri: .empty)
    /// The element that carries it.
    var element = NodeIndex.document
  }

  // Few are in scope as a rule, which then need no memory of their own.
  private var firstEntries = InlineArray<8, Entry>(repeating: Entry())
  private var otherEntries: [Entry] = []
  private(set) var count = 0
  /// The innermost element that carries any.
  private var innermost: NodeIndex?

  subscript(position: Int) -> Document.NamespaceDeclaration { entry(position).declaration }

  @inline(__always)
  private func entry(_ position: Int) -> Entry {
    position < firstEntries.count
      ? firstEntries[position] : otherEntries[position &- firstEntries.count]
  }

  private mutating func set(_ entry: Entry, at position: Int) {
    if position < firstEntries.count {
      firstEntries[position] = entry
    } else if position &- firstEntries.count < otherEntries.count {
      otherEntries[position &- firstEntries.count] = entry
    } else {
      otherEntries.append(entry)
    }
  }

  /// The URI that the nearest declaration gave the prefix; empty for none.
  @inline(__always)
  func uri(for prefix: AtomIndex) -> AtomIndex {
    var position = count
    while position > 0 {
      position &-= 1
      let declaration = self[position]
      if declaration.prefix == prefix { return declaration.uri }
    }
    return .empty
  }

  /// Adds a declaration, unless it is in effect already.
  @inline(__always)
  mutating func add(_ declaration: Document.NamespaceDeclaration, to element: NodeIndex) {
    guard uri(for: declaration.prefix) != declaration.uri else { return }
    set(Entry(declaration: declaration, element: element), at: count)
    count &+= 1
    innermost = element
  }

  /// Adds a declaration of an element around the document, which is never forgotten.
  mutating func addOuter(_ declaration: Document.NamespaceDeclaration) {
    set(Entry(declaration: declaration), at: count)
    count &+= 1
  }

  /// Forgets what an element carries, which is the innermost one.
  @inline(__always)
  mutating func remove(from element: NodeIndex) {
    if innermost == element { removeInnermost() }
  }

  private mutating func removeInnermost() {
    while count > 0, entry(count &- 1).element == innermost { count &-= 1 }
    innermost = count > 0 ? entry(count &- 1).element : nil
  }

  /// Puts the declarations of the innermost element in the order of their prefixes.
  mutating func sort(since mark: Int, _ vocabulary: Vocabulary) {
    guard count > mark + 1 else { return }
    var entries = (mark..<count).map(entry)
    entries.sort { vocabulary.isAtom($0.declaration.prefix, before: $1.declaration.prefix) }
    for (offset, entry) in entries.enumerated() { set(entry, at: mark + offset) }
  }
}

extension Element {
  /// The namespace that `prefix` (empty: the default namespace) is bound to at this element in the
  /// canonical octets of `apex`, which is this element or one around it; nil where they bind it to none.
  ///
  /// Inclusive canonicalization writes every declaration that is in scope. The exclusive one writes that
  /// of a prefix where the name of an element or attribute uses it, or where the prefix list has it: a
  /// prefix that is used in a value only is bound as an element around it declares it, and
  /// otherwise to nothing that is digested (Exclusive XML Canonicalization 1.0, 3 and 4.1).
  package func renderedNamespace(
    forPrefix prefix: String, in apex: Element, _ method: CanonicalizationMethod
  ) -> String? {
    guard method.algorithm == .exclusive else { return namespace(forPrefix: prefix) }
    let listed = prefix.isEmpty ? "#default" : prefix
    let isListed = method.inclusivePrefixes.contains { $0.utf8.elementsEqual(listed.utf8) }
    var current = self
    while true {
      if let uri = current.namespaceUsed(forPrefix: prefix) { return uri }
      if isListed, let uri = current.namespaceDeclared(forPrefix: prefix) { return uri }
      guard current.node != apex.node, let parent = current.parent else { break }
      current = parent
    }
    // The apex takes over what the prefix list has from the elements around it.
    return isListed ? apex.namespace(forPrefix: prefix) : nil
  }

  /// What the name of this element or of one of its attributes uses the prefix for.
  private func namespaceUsed(forPrefix prefix: String) -> String? {
    let vocabulary = storage.vocabulary
    func uri(_ name: NameIndex) -> String? {
      let name = vocabulary[name]
      guard vocabulary.text(name.prefix).utf8.elementsEqual(prefix.utf8) else { return nil }
      return vocabulary.text(name.uri)
    }
    if let found = uri(record.name) { return found }
    // An attribute without a prefix uses no namespace, not the default one.
    guard !prefix.isEmpty else { return nil }
    for place in record.attributeRange {
      if let found = uri(storage.attributes[place].name) { return found }
    }
    return nil
  }

  /// What this element itself declares the prefix for.
  package func namespaceDeclared(forPrefix prefix: String) -> String? {
    for place in record.namespaceRange {
      let declaration = storage.namespaces[place]
      guard storage.vocabulary.text(declaration.prefix).utf8.elementsEqual(prefix.utf8) else {
        continue
      }
      return storage.vocabulary.text(declaration.uri)
    }
    return nil
  }
}
