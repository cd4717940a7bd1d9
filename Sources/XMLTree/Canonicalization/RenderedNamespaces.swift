/// The namespace declarations that the open elements of the output carry, outermost first.
///
/// Few are in scope at a time, and the parser bounds how many, so the last ones are looked through.
struct RenderedNamespaces {
  private struct Entry {
    var declaration: Document.NamespaceDeclaration
    /// The element that carries it.
    var element: UInt32
  }

  private var entries: [Entry] = []
  /// The innermost element that carries any, 0 for none.
  private var innermost: UInt32 = 0

  init() { entries.reserveCapacity(8) }

  var count: Int { entries.count }

  subscript(position: Int) -> Document.NamespaceDeclaration { entries[position].declaration }

  /// The URI that the nearest declaration gave the prefix; 0 for none.
  @inline(__always)
  func uri(for prefix: UInt32) -> UInt32 {
    var position = entries.count
    while position > 0 {
      position &-= 1
      if entries[position].declaration.prefix == prefix { return entries[position].declaration.uri }
    }
    return 0
  }

  /// Adds a declaration, unless it says nothing new.
  @inline(__always)
  mutating func add(_ declaration: Document.NamespaceDeclaration, to element: UInt32) {
    guard uri(for: declaration.prefix) != declaration.uri else { return }
    entries.append(Entry(declaration: declaration, element: element))
    innermost = element
  }

  /// Forgets what an element carries, which is the innermost one.
  @inline(__always)
  mutating func remove(from element: UInt32) {
    if innermost == element { removeInnermost() }
  }

  private mutating func removeInnermost() {
    while let last = entries.last, last.element == innermost { entries.removeLast() }
    innermost = entries.last?.element ?? 0
  }

  /// Puts the declarations of the innermost element in the order of their prefixes.
  mutating func sort(since mark: Int, _ vocabulary: Vocabulary) {
    guard entries.count > mark + 1 else { return }
    entries[mark...].sort {
      vocabulary.isAtom($0.declaration.prefix, before: $1.declaration.prefix)
    }
  }
}
