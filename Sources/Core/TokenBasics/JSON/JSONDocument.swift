import Octets

/// A JSON text and its values as a flat list: what ``JSONValue`` is made of, and what to read where no
/// text should be copied.
///
/// Values are in document order; the content of one is the run up to its `end`.
package struct JSONDocument: Sendable {
  package struct Node: BitwiseCopyable, Sendable {
    package internal(set) var kind = JSONKind.null
    // Readers in other modules ask each member of a payload a dozen times: their questions are inlined.
    @usableFromInline let start: UInt32
    @usableFromInline var length: UInt32 = 0
    @usableFromInline var text: UInt32 = 0
    @usableFromInline var textLength: UInt32 = 0
    @usableFromInline let name: UInt32
    @usableFromInline let nameLength: UInt32
    /// A hash of the name, to reject most others at once.
    package let nameMark: Int
    /// One past the number of the last value inside.
    @usableFromInline var end: UInt32 = 0

    init(at start: Int, name: Range<Int>, nameMark: Int) {
      self.start = UInt32(truncatingIfNeeded: start)
      self.name = UInt32(truncatingIfNeeded: name.lowerBound)
      nameLength = UInt32(truncatingIfNeeded: name.count)
      self.nameMark = nameMark
    }

    /// Where the value is written, in quotes or brackets where it has them.
    package internal(set) var range: Range<Int> {
      @inlinable get { Int(start)..<Int(start &+ length) }
      set { length = UInt32(truncatingIfNeeded: newValue.count) }
    }

    /// The range of a string, decoded.
    package internal(set) var textRange: Range<Int> {
      @inlinable get { Int(text)..<Int(text &+ textLength) }
      set {
        text = UInt32(truncatingIfNeeded: newValue.lowerBound)
        textLength = UInt32(truncatingIfNeeded: newValue.count)
      }
    }

    /// The range of a member's name, decoded.
    @inlinable package var nameRange: Range<Int> { Int(name)..<Int(name &+ nameLength) }
  }

  /// The text as it was read, and behind it those strings, decoded, that are written with escapes. All
  /// strings are UTF-8.
  package let octets: [UInt8]
  let nodes: [Node]

  /// The one value that the text is.
  package var root: Node { nodes[0] }

  /// The members or elements of a value with their numbers, one after the other.
  package struct Children: Sequence, IteratorProtocol {
    @usableFromInline let nodes: [Node]
    @usableFromInline var child: Int
    @usableFromInline let end: Int

    /// - Parameter end: One past the last value inside.
    init(_ nodes: [Node], of number: Int, before end: Int) {
      self.nodes = nodes
      child = number + 1
      self.end = end
    }

    @inlinable package mutating func next() -> (number: Int, node: Node)? {
      guard child < end else { return nil }
      let node = nodes[child]
      defer { child = Int(node.end) }
      return (child, node)
    }
  }

  /// What is directly inside of a value.
  package func children(of number: Int = 0) -> Children {
    Children(nodes, of: number, before: Int(nodes[number].end))
  }

  /// The member of the outermost object with exactly this name, if there is one.
  package func member(_ name: StaticString) -> Node? {
    guard root.kind == .object else { return nil }
    for (_, node) in children() where isNamed(node, name) { return node }
    return nil
  }

  /// Whether a member has exactly this name.
  package func isNamed(_ node: Node, _ name: StaticString) -> Bool {
    octets.span.extracting(node.nameRange).hasBytes(of: name)
  }

  /// The text of the range.
  package func string(_ range: Range<Int>) -> String { Bytes.string(octets, range) }
}
