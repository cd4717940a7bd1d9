import Octets

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
