import Octets

extension Element {
  /// The prefixes of names of this element and those inside it that no element from it down declares where they
  /// are used (empty: the default namespace, of elements alone), each once.
  ///
  /// An element without a prefix counts as a use of the default namespace also where none is declared: whether
  /// there is one is told by what is around.
  package var undeclaredPrefixes: [String] {
    var found: [AtomIndex] = []
    func add(_ prefix: AtomIndex, at index: NodeIndex) {
      guard prefix != storage.vocabulary.xmlAtom, !found.contains(prefix),
        !isDeclared(prefix, at: index)
      else { return }
      found.append(prefix)
    }
    let end = record.end
    var index = node
    while index < end {
      let current = storage.nodes[index]
      if index == omitted {
        index = current.end
        continue
      }
      if current.kind == .element {
        add(storage.vocabulary[current.name].prefix, at: index)
        for place in current.attributeRange {
          let prefix = storage.vocabulary[storage.attributes[place].name].prefix
          if prefix != .empty { add(prefix, at: index) }
        }
      }
      index = index.next
    }
    return found.map(storage.vocabulary.text)
  }

  /// Whether this element, or one around it up to `apex`, declares the prefix.
  package func declares(_ prefix: String, upTo apex: Element) -> Bool {
    var current = self
    while true {
      if current.namespaceDeclared(forPrefix: prefix) != nil { return true }
      guard current.node != apex.node, let parent = current.parent else { return false }
      current = parent
    }
  }

  /// Whether the element at `index`, or one around it up to this one, declares the prefix.
  private func isDeclared(_ prefix: AtomIndex, at index: NodeIndex) -> Bool {
    var current = index
    while true {
      for place in storage.nodes[current].namespaceRange
      where storage.namespaces[place].prefix == prefix { return true }
      guard current != node else { return false }
      current = storage.nodes[current].parent
    }
  }
}
