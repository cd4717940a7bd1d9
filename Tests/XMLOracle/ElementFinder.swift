import XMLTree

/// Our element for libxml2's, by name and the number of elements before it that have this name.
struct ElementFinder {
  private let document: Document
  private var places: [(name: ExpandedName, position: Int)] = []

  init(_ document: Document, _ oracle: LibXML2Tree) {
    self.document = document
    var counts: [ExpandedName: Int] = [:]
    for element in 0..<oracle.elementCount {
      let (uri, local) = oracle.name(element)
      let name = ExpandedName(local, in: uri.replacing("&#38;", with: "&"))
      places.append((name, counts[name, default: 0]))
      counts[name, default: 0] += 1
    }
  }

  func callAsFunction(_ element: Int) -> Element? {
    let (name, position) = places[element]
    let found = document.root.descendants(named: name)
    return found.count > position ? found[position] : nil
  }
}
