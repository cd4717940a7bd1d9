import Octets

/// All nodes of a document in order, for display: nothing is left out and nothing is judged.
package struct DocumentWalk: Sequence, IteratorProtocol, Sendable {
  package enum Step: Sendable {
    case start(XMLTree.Element)
    case end(XMLTree.Element)
    /// The range of the text in ``Document/octets``.
    case text(Range<Int>)
    case comment(Range<Int>)
    case instruction(target: String, Range<Int>)
  }

  private let document: Document
  private var index: NodeIndex
  private let end: NodeIndex
  private var open: [NodeIndex] = []

  package init(_ document: Document) {
    self.document = document
    index = NodeIndex.document.next
    end = document.storage.nodes.endIndex
  }

  /// The nodes of `element`, its own start and end included.
  package init(_ element: XMLTree.Element) {
    document = element.document
    index = element.node
    end = element.record.end
  }

  package mutating func next() -> Step? {
    if let last = open.last, index >= document.storage.nodes[last].end {
      open.removeLast()
      return .end(XMLTree.Element(document, last))
    }
    guard index < end else { return nil }
    let current = index
    let node = document.storage.nodes[current]
    index = current.next
    switch node.kind {
    case .element:
      open.append(current)
      return .start(XMLTree.Element(document, current))
    case .text: return .text(node.textRange)
    case .comment: return .comment(node.textRange)
    case .processingInstruction:
      return .instruction(
        target: document.storage.vocabulary.text(node.target), node.textRange)
    case .document: return next()
    }
  }

  /// Leaves out the content and the end of the element whose start was the last step.
  package mutating func skipContent() {
    guard let last = open.popLast() else { return }
    index = document.storage.nodes[last].end
  }
}

extension Document {
  /// The elements by identifier, in document order: several where the document repeats one. The attributes
  /// are those of ``IdentifierIndex/Scope/everyReader``.
  package var elementsByIdentifier: [[UInt8]: [Element]] {
    var found: [[UInt8]: [Element]] = [:]
    for step in DocumentWalk(self) {
      guard case .start(let element) = step else { continue }
      for place in element.record.attributeRange {
        let attribute = storage.attributes[place]
        guard storage.vocabulary[attribute.name].isIdentifier else { continue }
        let value = Array(storage.octets[attribute.range])
        // One element may have it under two names.
        if found[value]?.last?.isSameNode(as: element) != true {
          found[value, default: []].append(element)
        }
      }
    }
    return found
  }
}
