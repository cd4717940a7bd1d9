import Octets
import Synchronization
package import TokenBasics

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
    self = try Parser.parse(consume bytes, limits: limits)
  }

  /// As ``init(parsing:limits:)``.
  ///
  /// - Parameter parsedCount: Grows by the octets that were parsed, also where the others are refused.
  package init(
    parsing bytes: consuming [UInt8], limits: Limits, parsedCount: inout Int
  ) throws(TokenError) {
    self = try Parser.parse(consume bytes, limits: limits, parsedCount: &parsedCount)
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
    var index = NodeIndex.document.next
    while index < storage.nodes.endIndex {
      let node = storage.nodes[index]
      if node.kind == .processingInstruction { return true }
      index = node.end
    }
    return false
  }

  /// Whether both are the same document, not just alike.
  package func isSame(as other: Document) -> Bool { storage === other.storage }

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
    let root: NodeIndex
    /// Counted for the first path through very many siblings.
    let siblingPositions = Mutex<SiblingPositions?>(nil)

    init(
      nodes: consuming GrowableBuffer<Node>, attributes: consuming GrowableBuffer<Attribute>,
      namespaces: consuming GrowableBuffer<NamespaceDeclaration>, octets: [UInt8], sourceCount: Int,
      vocabulary: Vocabulary, root: NodeIndex
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
    let kind: Kind
    var canonicalPart = CanonicalPart.none
    /// Whether any text is directly inside of an element.
    var hasText = false
    private(set) var attributeCount: UInt16 = 0
    private(set) var namespaceCount: UInt16 = 0
    /// See ``Vocabulary/Name/known``.
    let known: ExpandedName.Number
    let parent: NodeIndex
    /// One past the last node of the subtree.
    var end: NodeIndex
    /// The ``canonicalPart``.
    var source = OctetRange.empty

    // An element has no text and a text no attributes, so they share their memory.
    private let nameOrTarget: UInt32
    private var firstAttributeOrText: UInt32
    private var firstNamespaceOrCount: UInt32

    /// An element that is open.
    init(
      _ name: NameIndex, known: ExpandedName.Number, attributes: Range<Int>, namespaces: Range<Int>,
      parent: NodeIndex
    ) {
      kind = .element
      nameOrTarget = name.position
      self.known = known
      attributeCount = UInt16(truncatingIfNeeded: attributes.count)
      namespaceCount = UInt16(truncatingIfNeeded: namespaces.count)
      firstAttributeOrText = UInt32(truncatingIfNeeded: attributes.lowerBound)
      firstNamespaceOrCount = UInt32(truncatingIfNeeded: namespaces.lowerBound)
      self.parent = parent
      end = .document
    }

    /// Any other node.
    init(
      _ kind: Kind, _ text: Range<Int> = 0..<0, target: AtomIndex = .empty, parent: NodeIndex,
      end: NodeIndex
    ) {
      self.kind = kind
      nameOrTarget = target.position
      known = .unknown
      let text = OctetRange(text)
      firstAttributeOrText = text.start
      firstNamespaceOrCount = text.count
      self.parent = parent
      self.end = end
    }

    /// The name of an element.
    var name: NameIndex { NameIndex(position: nameOrTarget) }
    /// The target of a processing instruction.
    var target: AtomIndex { AtomIndex(position: nameOrTarget) }
    /// The positions of an element's attributes.
    var attributeRange: Range<Int> {
      Int(firstAttributeOrText)..<Int(firstAttributeOrText) &+ Int(attributeCount)
    }
    /// The positions of an element's namespace declarations.
    var namespaceRange: Range<Int> {
      Int(firstNamespaceOrCount)..<Int(firstNamespaceOrCount) &+ Int(namespaceCount)
    }
    /// The octets of a text, a comment, or the data of a processing instruction.
    var textRange: Range<Int> {
      get { OctetRange(start: firstAttributeOrText, count: firstNamespaceOrCount).range }
      set {
        let text = OctetRange(newValue)
        firstAttributeOrText = text.start
        firstNamespaceOrCount = text.count
      }
    }

    /// Adds a namespace declaration to an element whose declarations are the last ones.
    mutating func addNamespace() { namespaceCount &+= 1 }
  }

  struct Attribute: BitwiseCopyable, Sendable {
    var name: NameIndex
    /// See ``Vocabulary/Name/known``.
    var known: ExpandedName.Number
    var value: OctetRange

    var range: Range<Int> { value.range }
  }

  struct NamespaceDeclaration: BitwiseCopyable, Sendable {
    var prefix: AtomIndex
    var uri: AtomIndex
  }
}

extension Document {
  /// The same tree, none of which counts as canonical as its source has it: every octet of its canonical form is
  /// written from what readers see. For tests, which compare both.
  package var withoutSource: Document {
    var nodes = GrowableBuffer<Node>(capacity: storage.nodes.count)
    for place in storage.nodes.indices {
      var node = storage.nodes[place]
      node.canonicalPart = .none
      node.source = .empty
      nodes.append(node)
    }
    var attributes = GrowableBuffer<Attribute>(capacity: storage.attributes.count)
    for place in storage.attributes.indices { attributes.append(storage.attributes[place]) }
    var namespaces = GrowableBuffer<NamespaceDeclaration>(capacity: storage.namespaces.count)
    for place in storage.namespaces.indices { namespaces.append(storage.namespaces[place]) }
    return Document(
      storage: Storage(
        nodes: nodes, attributes: attributes, namespaces: namespaces, octets: storage.octets,
        sourceCount: 0, vocabulary: storage.vocabulary, root: storage.root))
  }
}

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
