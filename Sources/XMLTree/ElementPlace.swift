/// Which element of a document it is, without the document: a copy counts no reference.
package struct ElementPlace: BitwiseCopyable, Sendable {
  let node: UInt32
  let omitted: UInt32?
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
