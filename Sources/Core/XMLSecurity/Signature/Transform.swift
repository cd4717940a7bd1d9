import Octets
import TokenErrors
package import XMLTree

/// A step from the referenced node to the octets that are digested. There are two kinds, both fixed.
package enum Transform: Hashable, Sendable {
  /// Removes the signature that is being verified, that node and no other.
  case envelopedSignature
  /// Converts nodes to octets.
  case canonicalization(CanonicalizationMethod)

  /// The `Algorithm` URI.
  package var uri: String {
    switch self {
    case .envelopedSignature: DSName.envelopedSignature.description
    case .canonicalization(let method): method.uri
    }
  }

  /// - Throws: `signature.transform`, `signature.structure`, `xml.prefix-list`.
  init(reading element: borrowing Element, _ limits: Limits) throws(TokenError) {
    let uri = try SignatureReader.algorithm(of: element)
    if element.hasBytes(uri, of: DSName.envelopedSignature) {
      guard !element.hasChildElements else {
        throw TokenError(.refusedTransform, node: element.path, expected: "no children")
      }
      self = .envelopedSignature
    } else if var method = CanonicalizationMethod(uri: uri, in: element) {
      try SignatureReader.addPrefixList(
        of: element, to: &method, limits, else: .refusedTransform)
      self = .canonicalization(method)
    } else {
      throw TokenError(
        .refusedTransform, node: element.path,
        expected: "enveloped-signature or a canonicalization",
        found: TokenError.excerpt(element.string(uri)))
    }
  }
}
