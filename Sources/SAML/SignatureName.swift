import XMLSecurity
import XMLTree

/// The one name of XML Signature that SAML's own schema mentions.
enum SignatureName {
  static let signature = DSName.signature
}
