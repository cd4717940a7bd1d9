import Octets
package import TokenErrors

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

  private let elements: [[UInt8]: UInt32]

  /// - Throws: `xml.duplicate-id`, `xml.malformed-id`.
  package init(_ document: Document, _ scope: Scope = .everyReader) throws(TokenError) {
    let storage = document.storage
    let wanted = Self.wantedNames(storage.vocabulary, scope)
    var elements: [[UInt8]: UInt32] = [:]
    for (index, node) in storage.nodes.enumerated() where node.kind == .element {
      for attribute in storage.attributes[node.attributeRange] where wanted[Int(attribute.name)] {
        let value = Array(storage.pool[attribute.range])
        guard (1...256).contains(value.count),
          !value.contains(where: { ASCII.isWhiteSpace($0) || $0 < 0x20 })
        else {
          throw TokenError(
            .malformedID, node: Element(document, UInt32(index)).path,
            found: TokenError.excerpt(String(decoding: value, as: UTF8.self)))
        }
        if let earlier = elements.updateValue(UInt32(index), forKey: value),
          earlier != UInt32(index)
        {
          throw TokenError(
            .duplicateID, node: Element(document, UInt32(index)).path,
            found: TokenError.excerpt(String(decoding: value, as: UTF8.self)))
        }
      }
    }
    self.elements = elements
  }

  /// The element with this identifier, compared as bytes.
  package func element(_ identifier: some Sequence<UInt8>, in document: Document) -> Element? {
    elements[Array(identifier)].map { Element(document, $0) }
  }

  private static func wantedNames(_ vocabulary: Vocabulary, _ scope: Scope) -> [Bool] {
    switch scope {
    case .everyReader:
      return vocabulary.names.map(\.isIdentifier)
    case .named(let extra):
      let names =
        (["Id", "ID"] + extra).map(ExpandedName.init(clarkNotation:))
        + [ExpandedName("id", in: ExpandedName.xmlNamespace)]
      return (0..<vocabulary.names.count).map { index in
        names.contains { vocabulary.isNamed(UInt32(index), $0) }
      }
    }
  }
}
