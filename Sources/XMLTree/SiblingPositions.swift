import Octets

/// Which of its siblings of the same name each element of a document is.
struct SiblingPositions: Sendable {
  /// From 1, by node; 0 for an only one.
  private var positions: [UInt32]

  init(_ nodes: borrowing GrowableBuffer<Document.Node>) {
    positions = [UInt32](repeating: 0, count: nodes.count)
    var counts: [UInt64: UInt32] = [:]
    for index in nodes.indices where nodes[index].kind == .element {
      let node = nodes[index]
      counts[Self.key(node), default: 0] += 1
      positions[index] = counts[Self.key(node)] ?? 0
    }
    for index in nodes.indices where nodes[index].kind == .element {
      if counts[Self.key(nodes[index])] == 1 { positions[index] = 0 }
    }
  }

  subscript(node: UInt32) -> UInt32 { positions[Int(node)] }

  private static func key(_ node: Document.Node) -> UInt64 {
    UInt64(node.parent) << 32 | UInt64(node.name)
  }
}
