import Octets
package import TokenBasics

/// The elements of a document by identifier.
package struct IdentifierIndex: Sendable {
  /// Which attributes identify an element.
  package enum Scope: Sendable {
    /// Every name that some federation format or library takes for an identifier (`ID`, `Id`, `id`,
    /// `AssertionID`, `ResponseID`, `RequestID`, `xml:id`, `wsu:Id`), so that no reader can find
    /// another element than we do.
    case everyReader
    /// `Id`, `ID`, `xml:id` and these names: `name`, or `{namespace}name`.
    case named([String])
  }

  private struct Entry {
    var value = 0..<0
    var hash = 0
    var element = NodeIndex.document

    /// Whether both are one identifier, of two elements.
    func duplicates(_ other: Entry, in octets: [UInt8]) -> Bool {
      hash == other.hash && element != other.element
        && Bytes.areEqual(octets, value, octets, other.value)
    }
  }

  // Mostly there are few, which are compared faster than hashed, without memory of their own.
  private var inlineEntries = InlineArray<8, Entry>(repeating: Entry())
  private var inlineCount = 0
  private var overflow: [Entry] = []

  /// - Throws: `xml.duplicate-id`, `xml.malformed-id`.
  package init(_ document: borrowing Document, _ scope: Scope = .everyReader) throws(TokenError) {
    let storage = document.storage
    let extra = Self.extraNames(scope)
    let octets = storage.octets
    var firsts: [Int: [Entry]] = [:]
    var owner = NodeIndex.document
    for place in storage.attributes.indices
    where Self.isWanted(storage.attributes[place].name, extra, storage.vocabulary) {
      let range = storage.attributes[place].range
      owner = storage.element(withAttribute: place, from: owner)
      guard Self.isIdentifier(octets, range) else {
        throw Self.error(.malformedID, Element(copy document, owner), range)
      }
      let entry = Entry(
        value: range, hash: ByteHash.hash(octets.span.extracting(range)), element: owner)
      var isRepeated = firsts[entry.hash]?.contains { $0.duplicates(entry, in: octets) } == true
      // Inline: passing it to a function would copy it.
      for index in 0..<inlineCount where inlineEntries[index].duplicates(entry, in: octets) {
        isRepeated = true
      }
      guard !isRepeated else {
        throw Self.error(.duplicateID, Element(copy document, entry.element), range)
      }
      if inlineCount < inlineEntries.count {
        inlineEntries[inlineCount] = entry
        inlineCount += 1
      } else {
        overflow.append(entry)
        firsts[entry.hash, default: []].append(entry)
      }
    }
  }

  /// 1 to 256 bytes without white space or control characters.
  private static func isIdentifier(_ octets: [UInt8], _ range: Range<Int>) -> Bool {
    guard (1...256).contains(range.count) else { return false }
    for index in range where octets[index] <= 0x20 { return false }
    return true
  }

  private static func error(
    _ code: TokenError.Code, _ element: Element, _ value: Range<Int>
  ) -> TokenError {
    TokenError(
      code, node: element.path,
      found: TokenError.excerpt(element.string(value)))
  }

  /// Calls `body` with the value of each identifier.
  package func forEachValue(
    in document: Document, _ body: (Span<UInt8>) throws(TokenError) -> Void
  ) throws(TokenError) {
    let octets = document.storage.octets
    for index in 0..<inlineCount { try body(octets.span.extracting(inlineEntries[index].value)) }
    for entry in overflow { try body(octets.span.extracting(entry.value)) }
  }

  /// The element with this identifier, compared as bytes.
  package func element(_ identifier: some Sequence<UInt8>, in document: Document) -> Element? {
    let octets = document.storage.octets
    let wanted = Array(identifier)
    func isWanted(_ entry: Entry) -> Bool {
      Bytes.areEqual(octets, entry.value, wanted, wanted.indices)
    }
    for index in 0..<inlineCount where isWanted(inlineEntries[index]) {
      return Element(document, inlineEntries[index].element)
    }
    return overflow.first(where: isWanted).map { Element(document, $0.element) }
  }

  /// The names of a scope that lists them; nil for those of every reader.
  private static func extraNames(_ scope: Scope) -> [ExpandedName]? {
    guard case .named(let extra) = scope else { return nil }
    return (["Id", "ID"] + extra).map(ExpandedName.init(clarkNotation:))
      + [ExpandedName("id", in: ExpandedName.xmlNamespace)]
  }

  private static func isWanted(
    _ name: NameIndex, _ names: [ExpandedName]?, _ vocabulary: Vocabulary
  ) -> Bool {
    guard let names else { return vocabulary[name].isIdentifier }
    return vocabulary.isNamed(name, known: vocabulary[name].known, oneOf: names)
  }
}

extension Document.Storage {
  /// The element with the attribute at `place`; attributes are in document order.
  ///
  /// - Parameter first: An element that is not behind it.
  fileprivate func element(withAttribute place: Int, from first: NodeIndex) -> NodeIndex {
    var index = first
    while nodes[index].kind != .element || !nodes[index].attributeRange.contains(place) {
      index = index.next
    }
    return index
  }
}
