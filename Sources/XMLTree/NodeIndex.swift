import Octets

/// The position of a node in ``Document/Storage/nodes``.
@usableFromInline
struct NodeIndex: BitwiseCopyable, Hashable, Comparable, Sendable {
  @usableFromInline let position: UInt32

  init(_ position: Int) { self.position = UInt32(truncatingIfNeeded: position) }

  private init(position: UInt32) { self.position = position }

  /// The document node, which is around the document element.
  static let document = NodeIndex(position: 0)

  /// The node that follows in document order.
  @inline(__always)
  var next: NodeIndex { NodeIndex(position: position &+ 1) }

  @inlinable @inline(__always)
  static func == (left: Self, right: Self) -> Bool { left.position == right.position }

  @inlinable @inline(__always)
  static func < (left: Self, right: Self) -> Bool { left.position < right.position }
}

extension GrowableBuffer<Document.Node> {
  @inline(__always)
  subscript(index: NodeIndex) -> Document.Node {
    get { self[Int(index.position)] }
    set { self[Int(index.position)] = newValue }
  }

  /// One past the last node.
  var endIndex: NodeIndex { NodeIndex(count) }
}
