/// An element and everything below it, or a whole document, without at most one omitted element.
///
/// The unit that is canonicalized and digested, and the unit that is read afterwards.
package struct Subtree: Sendable {
  let document: Document
  let apex: NodeIndex
  let omitted: NodeIndex?

  /// Whether it is the document or its document element, whatever is omitted inside.
  package var isWholeDocument: Bool { apex == .document || apex == document.storage.root }
}

extension Document {
  /// The whole document, comments and processing instructions around its root included.
  package var subtree: Subtree { Subtree(document: self, apex: .document, omitted: nil) }

  /// The whole document without `element`.
  package func subtree(omitting element: Element) -> Subtree {
    Subtree(document: self, apex: .document, omitted: element.node)
  }
}

extension Element {
  /// The child nodes as subtrees of their own: elements, text, instructions.
  package var contents: [Subtree] {
    var parts: [Subtree] = []
    var index = node.next
    while index < record.end {
      if index != omitted {
        parts.append(Subtree(document: document, apex: index, omitted: omitted))
      }
      index = storage.nodes[index].end
    }
    return parts
  }
}
