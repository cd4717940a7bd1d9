/// The position of an element in its document, without the document: copying retains nothing.
package struct ElementPlace: BitwiseCopyable, Sendable {
  let node: NodeIndex
  let omitted: NodeIndex?
}

extension Element {
  /// Where it is in its document.
  package var place: ElementPlace { ElementPlace(node: node, omitted: omitted) }
}

extension Document {
  /// The element that is there.
  package func element(at place: ElementPlace) -> Element {
    Element(self, place.node, omitting: place.omitted)
  }
}
