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
  package init?(uri: String) {
    guard let known = Self.byURI[Array(uri.utf8)] else { return nil }
    self = known
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

  private static let byURI: [[UInt8]: Self] = {
    var methods: [[UInt8]: Self] = [:]
    for algorithm in [Algorithm.inclusive10, .inclusive11, .exclusive] {
      for withComments in [false, true] {
        let method = Self(algorithm, withComments: withComments)
        methods[Array(method.uri.utf8)] = method
      }
    }
    return methods
  }()
}
