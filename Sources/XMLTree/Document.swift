import Octets
import Synchronization
package import TokenErrors

/// An XML document as flat arrays: immutable, without a C pointer, an entity or a DTD.
///
/// Nodes stand in document order; a node's subtree is the run up to its `end`, so walking one is a
/// loop. CDATA sections and character references are plain text, as the XML Information Set has it.
package struct Document: Sendable {
  let storage: Storage

  /// Parses `bytes` as UTF-8 XML 1.0 without a DOCTYPE.
  ///
  /// - Throws: `xml.*`, `input.too-large`.
  package init(parsing bytes: consuming [UInt8], limits: Limits = Limits()) throws(TokenError) {
    self = try Parser.parse(bytes, limits: limits)
  }

  init(storage: Storage) { self.storage = storage }

  /// The document element.
  package var root: Element { Element(self, storage.root) }

  /// The UTF-8 of all texts and attribute values.
  package var text: [UInt8] { storage.pool }

  /// How many nodes there are: elements, texts, comments and instructions.
  package var nodeCount: Int { storage.nodes.count }

  /// Whether both are the same document, not just alike.
  package func isSame(as other: Document) -> Bool { storage === other.storage }

  /// The element with this number, as ``Element/number`` gave it.
  func element(_ node: UInt32) -> Element { Element(self, node) }

  final class Storage: Sendable {
    let nodes: Row<Node>
    let attributes: Row<Attribute>
    let namespaces: Row<NamespaceDeclaration>
    /// Text and attribute values, UTF-8, line ends and white space normalised by the parser.
    let pool: [UInt8]
    let vocabulary: Vocabulary
    let root: UInt32
    /// Counted when the first path through very many siblings is asked for.
    let siblingPositions = Mutex<SiblingPositions?>(nil)

    init(
      nodes: consuming Row<Node>, attributes: consuming Row<Attribute>,
      namespaces: consuming Row<NamespaceDeclaration>, pool: [UInt8], vocabulary: Vocabulary,
      root: UInt32
    ) {
      self.nodes = nodes
      self.attributes = attributes
      self.namespaces = namespaces
      self.pool = pool
      self.vocabulary = vocabulary
      self.root = root
    }
  }

  struct Node: BitwiseCopyable, Sendable {
    enum Kind: UInt8, BitwiseCopyable, Sendable {
      case document
      case element
      case text
      case comment
      case processingInstruction
    }
    var kind: Kind
    /// Counts of attributes and namespace declarations of an element.
    var attributeCount: UInt16 = 0
    var namespaceCount: UInt16 = 0
    /// The name of an element, the target (an atom) of a processing instruction.
    var name: UInt32 = 0
    /// See ``Vocabulary/Name/known``.
    var known: UInt32 = 0
    /// Where attributes and declarations of an element start; start and length of a text.
    var first: UInt32 = 0
    var second: UInt32 = 0
    var parent: UInt32
    /// One past the last node of the subtree.
    var end: UInt32

    var textRange: Range<Int> { Int(first)..<Int(first &+ second) }
    var attributeRange: Range<Int> { Int(first)..<Int(first) &+ Int(attributeCount) }
    var namespaceRange: Range<Int> { Int(second)..<Int(second) &+ Int(namespaceCount) }
  }

  struct Attribute: BitwiseCopyable, Sendable {
    var name: UInt32
    /// See ``Vocabulary/Name/known``.
    var known: UInt32
    var start: UInt32
    var count: UInt32
    var range: Range<Int> { Int(start)..<Int(start &+ count) }
  }

  struct NamespaceDeclaration: BitwiseCopyable, Sendable {
    var prefix: UInt32
    var uri: UInt32
  }
}
