package import XMLTree

/// Compares the canonical octets that come from the source of a document with those that are written from its tree.
///
/// A signature is over the former, a reader sees the latter: where they differed, what is read would not be what was
/// signed.
package enum SourceComparison {
  /// The first difference of the document, or of one of its elements; nil when there is none.
  ///
  /// - Parameter most: How many elements are compared at most, evenly spread.
  package static func difference(_ document: Document, most: Int = 64) -> String? {
    let tree = document.withoutSource
    let elements = document.root.descendants { _ in true }
    let same = tree.root.descendants { _ in true }
    guard elements.count == same.count else { return "another number of elements" }
    for method in methods {
      let found = Canonicalizer.octets(document.subtree, method)
      let written = Canonicalizer.octets(tree.subtree, method)
      guard found == written else { return text("the document", method, found, written) }
      for place in stride(from: 0, to: elements.count, by: elements.count / most + 1) {
        let found = Canonicalizer.octets(elements[place].subtree, method)
        let written = Canonicalizer.octets(same[place].subtree, method)
        guard found == written else { return text(elements[place].path, method, found, written) }
        // As an enveloped signature is left out.
        guard let child = (try? elements[place].children())?.first,
          let sameChild = (try? same[place].children())?.first
        else { continue }
        guard
          Canonicalizer.octets(elements[place].omitting(child).subtree, method)
            == Canonicalizer.octets(same[place].omitting(sameChild).subtree, method)
        else { return "\(elements[place].path) without its first child, \(method.uri)" }
      }
    }
    return nil
  }

  private static let methods = CanonicalizationMethod.Algorithm.allCases.flatMap { algorithm in
    [false, true].map { CanonicalizationMethod(algorithm, withComments: $0) }
  }

  private static func text(
    _ place: String, _ method: CanonicalizationMethod, _ found: [UInt8], _ written: [UInt8]
  ) -> String {
    """
    \(place), \(method.uri)
    source: \(String(decoding: found, as: UTF8.self))
    tree:   \(String(decoding: written, as: UTF8.self))
    """
  }
}
