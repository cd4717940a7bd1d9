import Claims
import XMLTree

/// Where in a document the values of claims are.
struct ClaimOrigins {
  private let document: Document
  /// By the start of the value in the octets of the document.
  private var places: [Int: (element: Element, attribute: String?)] = [:]

  init(_ document: Document) {
    self.document = document
    var open: [Element] = []
    for step in DocumentWalk(document) {
      switch step {
      case .start(let element):
        open.append(element)
        for attribute in element.attributes where !attribute.value.isEmpty {
          places[attribute.value.lowerBound] = (element, attribute.qualifiedName)
        }
      case .end: open.removeLast()
      case .text(let range):
        if let element = open.last, !range.isEmpty { places[range.lowerBound] = (element, nil) }
      case .comment, .instruction: break
      }
    }
  }

  /// The element that holds a claim's value, and the path to show.
  func place(of value: ClaimText, in table: ClaimTable) -> (element: Element, path: String)? {
    // Of the same document, and not of texts that were joined or decoded.
    guard !value.isAdded, table.octets.count == document.octets.count,
      let place = places[value.range.lowerBound]
    else { return nil }
    let path = place.element.path
    return (place.element, place.attribute.map { "\(path)/@\($0)" } ?? path)
  }
}
