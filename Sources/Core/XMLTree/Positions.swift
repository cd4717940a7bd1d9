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

/// The position of an atom in ``Vocabulary/atoms``.
struct AtomIndex: BitwiseCopyable, Hashable, Sendable {
  let position: UInt32

  init(position: UInt32) { self.position = position }

  init(_ position: Int) { self.position = UInt32(truncatingIfNeeded: position) }

  /// The empty string: no prefix, no namespace.
  static let empty = AtomIndex(0)
}

/// The position of a name in ``Vocabulary/names``.
struct NameIndex: BitwiseCopyable, Hashable, Sendable {
  let position: UInt32

  init(position: UInt32) { self.position = position }

  init(_ position: Int) { self.position = UInt32(truncatingIfNeeded: position) }
}

/// A range of octets, in half the memory of `Range<Int>`. Nothing that is parsed is longer than 2^32 octets.
struct OctetRange: BitwiseCopyable, Sendable {
  let start: UInt32
  let count: UInt32

  @inline(__always)
  init(start: UInt32, count: UInt32) {
    self.start = start
    self.count = count
  }

  @inline(__always)
  init(_ range: Range<Int>) {
    start = UInt32(truncatingIfNeeded: range.lowerBound)
    count = UInt32(truncatingIfNeeded: range.count)
  }

  @inline(__always)
  var range: Range<Int> { Int(start)..<Int(start) &+ Int(count) }

  static let empty = OctetRange(0..<0)
}

/// The position of an element in its document, without the document: copying retains nothing.
package struct ElementPlace: BitwiseCopyable, Sendable {
  let node: NodeIndex
  let omitted: NodeIndex?
}

extension Element {
  /// Where it is in its document.
  package var place: ElementPlace { ElementPlace(node: node, omitted: omitted) }
}

extension Document {
  /// The element that is there.
  package func element(at place: ElementPlace) -> Element {
    Element(self, place.node, omitting: place.omitted)
  }
}
