import Octets
import Synchronization
package import TokenErrors

/// An XML document as flat arrays: immutable, without a C pointer, an entity or a DTD.
///
/// Nodes are in document order; a node's subtree is the run up to its `end`, so walking one is a
/// loop. CDATA sections and character references are plain text, as the XML Information Set has it.
public struct Document: Sendable {
  @usableFromInline let storage: Storage

  /// Parses `bytes` as UTF-8 XML 1.0 without a DOCTYPE.
  ///
  /// - Throws: `xml.*`, `input.too-large`.
  package init(parsing bytes: consuming [UInt8], limits: Limits = Limits()) throws(TokenError) {
    self = try Parser.parse(bytes, limits: limits)
  }

  init(storage: Storage) { self.storage = storage }

  /// The document element.
  package var root: Element { Element(self, storage.root) }

  /// The octets of all texts and attribute values, UTF-8.
  package var octets: [UInt8] { storage.octets }

  /// How many nodes there are: elements, texts, comments and instructions.
  package var nodeCount: Int { storage.nodes.count }

  /// Whether processing instructions precede or follow the document element.
  package var hasInstructionsBesideRoot: Bool {
    var index: UInt32 = 1
    while index < UInt32(clamping: storage.nodes.count) {
      let node = storage.nodes[Int(index)]
      if node.kind == .processingInstruction { return true }
      index = node.end
    }
    return false
  }

  /// Whether both are the same document, not just alike.
  package func isSame(as other: Document) -> Bool { storage === other.storage }

  /// The element with this number, as ``Element/number`` gave it.
  func element(_ node: UInt32) -> Element { Element(self, node) }

  @usableFromInline final class Storage: Sendable {
    let nodes: GrowableBuffer<Node>
    let attributes: GrowableBuffer<Attribute>
    let namespaces: GrowableBuffer<NamespaceDeclaration>
    /// The document as it was parsed, and behind it the texts and attribute values that do not occur
    /// there: what the parser decoded or normalised, and what canonical form writes in another way.
    let octets: [UInt8]
    /// How many of the octets are the document's.
    let sourceCount: Int
    let vocabulary: Vocabulary
    let root: UInt32
    /// Counted for the first path through very many siblings.
    let siblingPositions = Mutex<SiblingPositions?>(nil)

    init(
      nodes: consuming GrowableBuffer<Node>, attributes: consuming GrowableBuffer<Attribute>,
      namespaces: consuming GrowableBuffer<NamespaceDeclaration>, octets: [UInt8], sourceCount: Int,
      vocabulary: Vocabulary, root: UInt32
    ) {
      self.nodes = nodes
      self.attributes = attributes
      self.namespaces = namespaces
      self.octets = octets
      self.sourceCount = sourceCount
      self.vocabulary = vocabulary
      self.root = root
    }

    /// Whether the range is text of the document that canonical form writes unchanged.
    @inline(__always)
    func isPlain(_ range: Range<Int>) -> Bool { range.upperBound <= sourceCount }
  }

  struct Node: BitwiseCopyable, Sendable {
    enum Kind: UInt8, BitwiseCopyable, Sendable {
      case document
      case element
      case text
      case comment
      case processingInstruction
    }
    /// How much of an element's source is already the canonical form that its parent has of it.
    enum CanonicalPart: UInt8, BitwiseCopyable, Sendable {
      case none
      /// The start tag, without what ends it.
      case startTag
      /// All of it, from start tag to end tag.
      case whole
    }
    var kind: Kind
    var canonicalPart = CanonicalPart.none
    /// Whether any text is directly inside of an element.
    var hasText = false
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
    /// The range of the ``canonicalPart``.
    var sourceStart: UInt32 = 0
    var sourceEnd: UInt32 = 0

    var sourceRange: Range<Int> { Int(sourceStart)..<Int(sourceEnd) }
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
