import Octets

/// A canonicalization method that XML Signature names.
package struct CanonicalizationMethod: Hashable, Sendable {
  package enum Algorithm: Hashable, Sendable {
    /// Canonical XML 1.0 (2001).
    case inclusive10
    /// Canonical XML 1.1 (2008).
    case inclusive11
    /// Exclusive XML Canonicalization 1.0 (2002).
    case exclusive
  }

  package var algorithm: Algorithm
  package var withComments: Bool
  /// The `PrefixList` of exclusive canonicalization, `#default` for the default namespace.
  package var inclusivePrefixes: [String]

  package init(
    _ algorithm: Algorithm, withComments: Bool = false, inclusivePrefixes: [String] = []
  ) {
    self.algorithm = algorithm
    self.withComments = withComments
    self.inclusivePrefixes = inclusivePrefixes
  }

  /// The method with exactly this URI, byte for byte.
  package init?(uri: String) { self.init { uri.hasSameBytes(as: $0) } }

  /// The method with exactly the URI that stands there in the text of `element`'s document.
  package init?(uri: Range<Int>, in element: Element) {
    self.init { element.hasBytes(uri, of: $0) }
  }

  private init?(_ isURI: (String) -> Bool) {
    let known = Self.known
    guard let place = known.indices.first(where: { isURI(known[$0].uri) }) else { return nil }
    self = known[place].method
  }

  /// The `Algorithm` URI.
  package var uri: String {
    let base =
      switch algorithm {
      case .inclusive10: "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
      case .inclusive11: "http://www.w3.org/2006/12/xml-c14n11"
      case .exclusive: "http://www.w3.org/2001/10/xml-exc-c14n#"
      }
    guard withComments else { return base }
    return base + (algorithm == .exclusive ? "WithComments" : "#WithComments")
  }

  private static let known = [Algorithm.exclusive, .inclusive10, .inclusive11].flatMap {
    algorithm in
    [false, true].map { withComments in
      let method = Self(algorithm, withComments: withComments)
      return (uri: method.uri, method: method)
    }
  }
}
