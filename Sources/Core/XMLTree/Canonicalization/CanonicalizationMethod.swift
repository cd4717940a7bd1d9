import Octets

/// A canonicalization method that XML Signature names.
package struct CanonicalizationMethod: Hashable, Sendable {
  package enum Algorithm: CaseIterable, Hashable, Sendable {
    /// Exclusive XML Canonicalization 1.0 (2002).
    case exclusive
    /// Canonical XML 1.0 (2001).
    case inclusive10
    /// Canonical XML 1.1 (2008).
    case inclusive11
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
  package init?(uri: String) {
    guard let known = Self.known(where: { uri.utf8.span.hasBytes(of: $0) }) else { return nil }
    self.init(known.algorithm, withComments: known.withComments)
  }

  /// The method with exactly the URI at that range of `element`'s document.
  package init?(uri: Range<Int>, in element: borrowing Element) {
    guard let known = Self.known(where: { element.hasBytes(uri, of: $0) }) else { return nil }
    self.init(known.algorithm, withComments: known.withComments)
  }

  private static func known(
    where isURI: (StaticString) -> Bool
  ) -> (algorithm: Algorithm, withComments: Bool)? {
    for algorithm in Algorithm.allCases {
      if isURI(uri(algorithm, false)) { return (algorithm, false) }
      if isURI(uri(algorithm, true)) { return (algorithm, true) }
    }
    return nil
  }

  /// The `Algorithm` URI.
  package var uri: String { Self.uri(algorithm, withComments).description }

  private static func uri(_ algorithm: Algorithm, _ withComments: Bool) -> StaticString {
    switch (algorithm, withComments) {
    case (.exclusive, false): "http://www.w3.org/2001/10/xml-exc-c14n#"
    case (.exclusive, true): "http://www.w3.org/2001/10/xml-exc-c14n#WithComments"
    case (.inclusive10, false): "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
    case (.inclusive10, true): "http://www.w3.org/TR/2001/REC-xml-c14n-20010315#WithComments"
    case (.inclusive11, false): "http://www.w3.org/2006/12/xml-c14n11"
    case (.inclusive11, true): "http://www.w3.org/2006/12/xml-c14n11#WithComments"
    }
  }
}
