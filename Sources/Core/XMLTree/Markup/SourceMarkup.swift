import CLibXML2
import Octets
package import TokenBasics

/// Where markup stands in the source of a document, well-formed or not: for what shows, cuts or replaces the source,
/// which the tree does not keep.
///
/// Of octets that parse, tags stand where libxml2 found them. Of others they are found by ``MarkupScanner``, which
/// takes for a tag what looks like one. Nothing is decided by it.
package struct SourceMarkup: Sendable {
  /// The ranges of an attribute.
  package struct Attribute: Sendable {
    package let name: String
    package let nameRange: Range<Int>
    /// The name, the equals sign and the quoted value.
    package let whole: Range<Int>
    /// The text between the quotes, or what stands there without them.
    package let value: Range<Int>
  }

  /// The ranges of an element.
  package struct Element: Sendable {
    package let name: String
    /// The name without the prefix.
    package let localName: String
    package let nameRange: Range<Int>
    package let parent: Int?
    package let attributes: [Attribute]
    /// From `<` to the `>` of the same tag.
    package let startTag: Range<Int>
    /// Between the tags; empty for a tag that closes itself.
    package internal(set) var content: Range<Int>
    /// Both tags and everything between them.
    package internal(set) var whole: Range<Int>
    package let closesItself: Bool

    /// The prefix with its colon, or nothing.
    package var prefix: String { String(name.dropLast(localName.count)) }

    package func attribute(_ name: String) -> Attribute? {
      attributes.first { $0.name == name }
    }
  }

  /// A run of the source that is one thing.
  package struct Piece: Sendable {
    package enum Kind: Hashable, Sendable {
      case text
      case comment
      case cdata
      case instruction
      /// From `<!` to the next `>`, such as the beginning of a document type.
      case declaration
      /// That of the element with this number.
      case startTag(Int)
      case endTag
    }
    package let kind: Kind
    package let whole: Range<Int>
    /// What is between the delimiters; of a text, all of it.
    package let content: Range<Int>
  }

  /// In order, without a gap: every octet is in one.
  package let pieces: [Piece]
  /// In document order.
  package let elements: [Element]

  /// The markup of a document.
  package init(_ octets: [UInt8], limits: Limits = Limits()) {
    self.init(MarkupScanner(octets, tags: TagPlaces.ofStartTags(in: octets, limits)))
  }

  /// The markup of what is no document, such as one tag.
  package init(fragment octets: [UInt8]) { self.init(MarkupScanner(octets, tags: nil)) }

  private init(_ scanner: consuming MarkupScanner) {
    scanner.scan()
    pieces = scanner.pieces
    elements = scanner.elements
  }

  /// Whether no element is inside of the element with that number.
  package func hasTextAlone(_ index: Int) -> Bool {
    elements.dropFirst(index + 1).first.map { $0.parent != index } ?? true
  }

  /// How many comments, CDATA sections or the like are inside of a range.
  package func count(_ kind: Piece.Kind, in range: Range<Int>) -> Int {
    pieces.count { $0.kind == kind && range.contains($0.whole.lowerBound) }
  }
}

extension Document {
  /// The document as it was parsed.
  package var source: [UInt8] { Array(storage.octets.prefix(storage.sourceCount)) }
}

/// Where libxml2 finds the start tags of a document: a parse of its own, because whoever verifies needs no places.
@safe struct TagPlaces {
  private let octets: UnsafeBufferPointer<UInt8>
  private let context: xmlParserCtxtPtr
  private var places: [Range<Int>] = []
  /// Whether libxml2 told a place that is not in the octets, or had a document type before it.
  private var isBroken = false

  /// The start tags in document order, each from `<` to behind `>`; nil for octets that do not parse.
  static func ofStartTags(in octets: [UInt8], _ limits: Limits) -> [Range<Int>]? {
    _ = Parser.library
    guard (try? InputCheck.check(octets, limits)) != nil,
      let context = unsafe xmlNewParserCtxt()
    else { return nil }
    defer { unsafe xmlFreeParserCtxt(context) }
    unsafe installHandlers(context)
    // The parser needs a NUL after the document.
    let document = octets + [0]
    return unsafe document.withUnsafeBufferPointer { buffer in
      let source = unsafe UnsafeBufferPointer(rebasing: buffer.dropLast())
      var state = unsafe TagPlaces(octets: source, context: context)
      unsafe withUnsafeMutablePointer(to: &state) { state in
        unsafe cxml_reset(context, 0)
        unsafe context.pointee.userData = UnsafeMutableRawPointer(state)
        unsafe cxml_parse(context, source.baseAddress, source.count)
        unsafe context.pointee.userData = nil
      }
      guard !state.isBroken, unsafe Parser.verdict(of: context, hasRoot: true) == nil else {
        return nil
      }
      return state.places
    }
  }

  private init(octets: UnsafeBufferPointer<UInt8>, context: xmlParserCtxtPtr) {
    unsafe self.octets = octets
    unsafe self.context = context
  }

  private static func installHandlers(_ context: xmlParserCtxtPtr) {
    unsafe cxml_clear_handlers(context)
    guard let sax = unsafe context.pointee.sax else { return }
    unsafe sax.pointee.startElementNs = { data, _, _, _, _, _, _, _, _ in
      guard let state = unsafe data?.assumingMemoryBound(to: TagPlaces.self) else { return }
      unsafe state.pointee.add(state.pointee.context.pointee.input?.pointee.cur)
    }
    let doctype: internalSubsetSAXFunc = { data, _, _, _ in
      guard let state = unsafe data?.assumingMemoryBound(to: TagPlaces.self) else { return }
      unsafe state.pointee.isBroken = true
      unsafe xmlStopParser(state.pointee.context)
    }
    unsafe sax.pointee.internalSubset = doctype
    unsafe sax.pointee.externalSubset = doctype
  }

  /// Adds the tag before whose `>` or `/>` the parser is.
  ///
  /// A value has no raw `<` (XML 1.0, 3.1), so the last one before is the tag's own.
  private mutating func add(_ cursor: UnsafePointer<xmlChar>?) {
    let source = unsafe SourceOctets(octets)
    let place = unsafe source.offset(of: cursor)
    guard place < source.count, let start = unsafe octets[..<place].lastIndex(of: ASCII.lessThan)
    else {
      isBroken = true
      return
    }
    let isEmpty = source.has(UInt8(ascii: "/"), at: place)
    places.append(start..<(place + (isEmpty ? 2 : 1)))
  }
}
