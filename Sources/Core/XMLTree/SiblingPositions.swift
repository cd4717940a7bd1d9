import Octets

/// Which of its siblings of the same name each element of a document is, from 1.
struct SiblingPositions: Sendable {
  /// By node, nil for an only one.
  private var positions: [Int?]

  init(_ nodes: borrowing GrowableBuffer<Document.Node>) {
    positions = [Int?](repeating: nil, count: nodes.count)
    var counts: [Siblings: Int] = [:]
    for index in nodes.indices where nodes[index].kind == .element {
      let siblings = Siblings(parent: nodes[index].parent, name: nodes[index].name)
      counts[siblings, default: 0] += 1
      positions[index] = counts[siblings]
    }
    for index in nodes.indices where nodes[index].kind == .element {
      let siblings = Siblings(parent: nodes[index].parent, name: nodes[index].name)
      if counts[siblings] == 1 { positions[index] = nil }
    }
  }

  subscript(node: NodeIndex) -> Int? { positions[Int(node.position)] }

  private struct Siblings: Hashable {
    let parent: NodeIndex
    let name: NameIndex
  }
}
