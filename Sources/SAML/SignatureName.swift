import TokenErrors
import XMLSecurity
import XMLTree

/// The one name of XML Signature that SAML's own schema mentions.
enum SignatureName {
  static let signature = DSName.signature

  /// Where the schema of a response or an assertion has its signature.
  static func place(in element: Element) -> SignaturePlace {
    if element.isNamed(SAML1Name.assertion) { return .last }
    return element.isNamed(SAML1Name.response) ? .first : .behind(SAML2Name.issuer)
  }

  /// Takes the signature that may be the next child, wherever the schema has it.
  ///
  /// - Parameter isTaken: Whether it was there before; an element has one.
  /// - Throws: `signature.repeated`.
  static func take(
    _ children: inout ChildReader, unless isTaken: inout Bool
  ) throws(TokenError) {
    while let found = children.take(signature) {
      guard !isTaken else { throw TokenError(.signatureRepeated, node: found.path) }
      isTaken = true
    }
  }
}
