import Octets

/// The `xml:` attributes that an apex takes over from its ancestors under inclusive canonicalization.
enum InheritedAttributes {
  /// Marks an attribute whose value is not in the document's pool but was computed.
  static let computed: UInt32 = 1 << 31

  /// Adds them to `attributes`; values that had to be computed go to `values`.
  ///
  /// Canonical XML 1.0, 2.4 takes over every attribute of the xml namespace, the nearest first. 1.1
  /// takes over `xml:lang` and `xml:space`, leaves `xml:id` alone, and joins `xml:base`.
  static func collect(
    _ apex: UInt32, _ storage: Document.Storage, _ algorithm: CanonicalizationMethod.Algorithm,
    _ attributes: inout [Document.Attribute], _ values: inout OctetWriter
  ) {
    let vocabulary = storage.vocabulary
    var bases: [Document.Attribute] = []
    if algorithm == .inclusive11, let own = attributes.firstIndex(where: { isBase($0, vocabulary) })
    {
      bases.append(attributes.remove(at: own))
    }
    var current = storage.nodes[Int(apex)].parent
    while current != 0 {
      let node = storage.nodes[Int(current)]
      for attribute in storage.attributes[node.attributeRange]
      where isXML(attribute, vocabulary) {
        if algorithm == .inclusive11, isBase(attribute, vocabulary) {
          bases.append(attribute)
          continue
        }
        if algorithm == .inclusive11,
          !["lang", "space"].contains(
            vocabulary.text(vocabulary.names[Int(attribute.name)].local))
        {
          continue
        }
        if !attributes.contains(where: { vocabulary.isSame($0.name, attribute.name) }) {
          attributes.append(attribute)
        }
      }
      current = node.parent
    }
    guard var joined = bases.first else { return }
    if bases.count > 1 {
      var text = String(decoding: storage.pool[joined.range], as: UTF8.self)
      for base in bases.dropFirst() {
        text = BaseURI.join(text, to: String(decoding: storage.pool[base.range], as: UTF8.self))
      }
      joined.start = UInt32(values.count) | computed
      joined.count = UInt32(text.utf8.count)
      values.append(text)
    }
    if joined.count > 0 { attributes.append(joined) }
  }

  private static func isXML(_ attribute: Document.Attribute, _ vocabulary: Vocabulary) -> Bool {
    let uri = vocabulary.names[Int(attribute.name)].uri
    return uri != 0 && vocabulary.text(uri) == ExpandedName.xmlNamespace
  }

  private static func isBase(_ attribute: Document.Attribute, _ vocabulary: Vocabulary) -> Bool {
    vocabulary.isNamed(attribute.name, base)
  }

  private static let base = ExpandedName("base", in: ExpandedName.xmlNamespace)
}
