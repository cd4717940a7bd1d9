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
