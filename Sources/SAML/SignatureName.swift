import TokenErrors
import XMLSecurity
import XMLTree

/// The one name of XML Signature that SAML's own schema mentions.
enum SignatureName {
  static let signature = DSName.signature

  /// Takes the signature that may be the next child.
  ///
  /// - Throws: `signature.repeated`.
  static func takeOne(_ children: inout ChildReader) throws(TokenError) {
    guard children.take(signature) != nil, let second = children.take(signature) else { return }
    throw TokenError(.signatureRepeated, node: second.path)
  }
}
