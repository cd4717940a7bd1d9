import TokenErrors
import XMLSecurity
import XMLTree

/// The one name of XML Signature that SAML's own schema mentions.
enum SignatureName {
  static let signature = DSName.signature

  /// - Throws: `signature.repeated`.
  static func refuseSecond(_ signatures: [Element]) throws(TokenError) {
    if signatures.count > 1 { throw TokenError(.signatureRepeated, node: signatures[1].path) }
  }
}
