import Octets

extension Element {
  /// The namespace that `prefix` (empty: the default namespace) is bound to at this element in the
  /// canonical octets of `apex`, which is this element or one around it; nil where they bind it to none.
  ///
  /// Inclusive canonicalization writes every declaration that is in scope. The exclusive one writes that
  /// of a prefix where the name of an element or attribute uses it, or where the prefix list has it: a
  /// prefix that is used in a value only is bound as an element around it declares it, and
  /// otherwise to nothing that is digested (Exclusive XML Canonicalization 1.0, 3 and 4.1).
  package func renderedNamespace(
    forPrefix prefix: String, in apex: Element, _ method: CanonicalizationMethod
  ) -> String? {
    guard method.algorithm == .exclusive else { return namespace(forPrefix: prefix) }
    let listed = prefix.isEmpty ? "#default" : prefix
    let isListed = method.inclusivePrefixes.contains { $0.utf8.elementsEqual(listed.utf8) }
    var current = self
    while true {
      if let uri = current.namespaceUsed(forPrefix: prefix) { return uri }
      if isListed, let uri = current.namespaceDeclared(forPrefix: prefix) { return uri }
      guard current.node != apex.node, let parent = current.parent else { break }
      current = parent
    }
    // The apex takes over what the prefix list has from the elements around it.
    return isListed ? apex.namespace(forPrefix: prefix) : nil
  }

  /// What the name of this element or of one of its attributes uses the prefix for.
  private func namespaceUsed(forPrefix prefix: String) -> String? {
    let vocabulary = storage.vocabulary
    func uri(_ name: NameIndex) -> String? {
      let name = vocabulary[name]
      guard vocabulary.text(name.prefix).utf8.elementsEqual(prefix.utf8) else { return nil }
      return vocabulary.text(name.uri)
    }
    if let found = uri(record.name) { return found }
    // An attribute without a prefix uses no namespace, not the default one.
    guard !prefix.isEmpty else { return nil }
    for place in record.attributeRange {
      if let found = uri(storage.attributes[place].name) { return found }
    }
    return nil
  }

  /// What this element itself declares the prefix for.
  package func namespaceDeclared(forPrefix prefix: String) -> String? {
    for place in record.namespaceRange {
      let declaration = storage.namespaces[place]
      guard storage.vocabulary.text(declaration.prefix).utf8.elementsEqual(prefix.utf8) else {
        continue
      }
      return storage.vocabulary.text(declaration.uri)
    }
    return nil
  }
}
