package import XMLTree

/// The names of XML Signature (XML Signature Syntax and Processing 1.1).
package enum DSName {
  package static let namespace = "http://www.w3.org/2000/09/xmldsig#"

  package static let signature = ExpandedName("Signature", in: namespace)
  static let signedInfo = ExpandedName("SignedInfo", in: namespace)
  static let signatureValue = ExpandedName("SignatureValue", in: namespace)
  package static let keyInfo = ExpandedName("KeyInfo", in: namespace)
  package static let x509Data = ExpandedName("X509Data", in: namespace)
  package static let x509Certificate = ExpandedName("X509Certificate", in: namespace)
  static let object = ExpandedName("Object", in: namespace)
  static let canonicalizationMethod = ExpandedName("CanonicalizationMethod", in: namespace)
  package static let signatureMethod = ExpandedName("SignatureMethod", in: namespace)
  static let hmacOutputLength = ExpandedName("HMACOutputLength", in: namespace)
  package static let reference = ExpandedName("Reference", in: namespace)
  static let transforms = ExpandedName("Transforms", in: namespace)
  static let transform = ExpandedName("Transform", in: namespace)
  package static let digestMethod = ExpandedName("DigestMethod", in: namespace)
  static let digestValue = ExpandedName("DigestValue", in: namespace)
  static let inclusiveNamespaces = ExpandedName(
    "InclusiveNamespaces", in: "http://www.w3.org/2001/10/xml-exc-c14n#")

  package static let algorithm = ExpandedName("Algorithm")
  package static let uri = ExpandedName("URI")
  static let type = ExpandedName("Type")
  static let id = ExpandedName("Id")
  static let prefixList = ExpandedName("PrefixList")

  static let envelopedSignature: StaticString =
    "http://www.w3.org/2000/09/xmldsig#enveloped-signature"
  static let manifestType = "http://www.w3.org/2000/09/xmldsig#Manifest"
}
