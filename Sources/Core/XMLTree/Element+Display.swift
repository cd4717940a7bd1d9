import Octets

/// What an element looks like, for a person. Readers that decide anything ask for names that they know.
extension Element {
  /// An attribute as it is written.
  package struct WrittenAttribute: Sendable {
    /// Empty for none.
    package let prefix: String
    package let localName: String
    /// Empty for none.
    package let namespaceURI: String
    /// The range of the value in ``Document/octets``.
    package let value: Range<Int>

    /// The name with its prefix.
    package var qualifiedName: String { prefix.isEmpty ? localName : "\(prefix):\(localName)" }
  }

  /// The number of the element among the nodes of its document, in document order.
  package var position: Int { Int(node.position) }

  /// One past the number of the last node inside.
  package var endPosition: Int { Int(record.end.position) }

  /// The name with its prefix.
  package var qualifiedName: String {
    let name = storage.vocabulary[record.name]
    let local = storage.vocabulary.text(name.local)
    return name.prefix == .empty ? local : "\(storage.vocabulary.text(name.prefix)):\(local)"
  }

  /// The attributes in document order, namespace declarations left out.
  package var attributes: [WrittenAttribute] {
    record.attributeRange.map { place in
      let attribute = storage.attributes[place]
      let name = storage.vocabulary[attribute.name]
      return WrittenAttribute(
        prefix: storage.vocabulary.text(name.prefix),
        localName: storage.vocabulary.text(name.local),
        namespaceURI: storage.vocabulary.text(name.uri), value: attribute.range)
    }
  }

  /// The namespaces that the element itself declares, by prefix (empty: the default namespace).
  package var namespaceDeclarations: [(prefix: String, uri: String)] {
    record.namespaceRange.map { place in
      let declaration = storage.namespaces[place]
      return (
        storage.vocabulary.text(declaration.prefix), storage.vocabulary.text(declaration.uri)
      )
    }
  }
}
