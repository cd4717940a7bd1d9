import Octets

/// The `xml:` attributes that an apex takes over from its ancestors under inclusive canonicalization.
struct InheritedAttributes {
  /// The `xml:base` whose value is not in the document but was computed.
  struct JoinedBase {
    let name: NameIndex
    let value: [UInt8]
  }

  private let tree: Document.Storage
  private var vocabulary: Vocabulary { tree.vocabulary }

  init(_ tree: Document.Storage) { self.tree = tree }

  /// Adds them to the apex's own; returns what `xml:base` is, where it had to be joined.
  ///
  /// Canonical XML 1.0, 2.4 takes over every attribute of the xml namespace, the nearest first. 1.1
  /// takes over `xml:lang` and `xml:space`, joins `xml:base` and leaves the others alone.
  func collect(
    for apex: NodeIndex, _ algorithm: CanonicalizationMethod.Algorithm,
    _ taken: inout [Document.Attribute]
  ) -> JoinedBase? {
    // No name with the prefix, no attribute.
    guard vocabulary.xmlAtom != nil else { return nil }
    var bases: [Document.Attribute] = []
    var names = Set(taken.lazy.map(\.name))
    var current = tree.nodes[apex].parent
    while current != .document {
      let node = tree.nodes[current]
      for place in node.attributeRange where isXML(tree.attributes[place]) {
        let attribute = tree.attributes[place]
        if algorithm == .inclusive11 {
          if vocabulary.isNamed(attribute.name, Self.base) { bases.append(attribute) }
          guard
            vocabulary.isNamed(attribute.name, Self.language)
              || vocabulary.isNamed(attribute.name, Self.space)
          else { continue }
        }
        if names.insert(attribute.name).inserted { taken.append(attribute) }
      }
      current = node.parent
    }
    return join(bases, &taken)
  }

  /// Canonical XML 1.1, 2.4: the `xml:base` of the apex is seen from those above it. Without one above
  /// it stays as it is; an empty result is not written.
  private func join(
    _ bases: [Document.Attribute], _ taken: inout [Document.Attribute]
  ) -> JoinedBase? {
    guard var result = bases.first else { return nil }
    var values = bases.map { tree.octets[$0.range] }
    if let own = taken.firstIndex(where: { vocabulary.isNamed($0.name, Self.base) }) {
      result = taken.remove(at: own)
      values.insert(tree.octets[result.range], at: 0)
    }
    let value = BaseURI.join(values)
    guard !value.isEmpty else { return nil }
    taken.append(result)
    return JoinedBase(name: result.name, value: value)
  }

  /// Every name with the prefix is in the namespace, and no other is.
  private func isXML(_ attribute: Document.Attribute) -> Bool {
    vocabulary[attribute.name].prefix == vocabulary.xmlAtom
  }

  private static let base = ExpandedName("base", in: ExpandedName.xmlNamespace)
  private static let language = ExpandedName("lang", in: ExpandedName.xmlNamespace)
  private static let space = ExpandedName("space", in: ExpandedName.xmlNamespace)
}
