package import XMLTree

/// The names of XML Encryption (XML Encryption Syntax and Processing 1.1).
package enum XEName {
  static let namespace = "http://www.w3.org/2001/04/xmlenc#"
  static let namespace11 = "http://www.w3.org/2009/xmlenc11#"
  static let signature11 = "http://www.w3.org/2009/xmldsig11#"

  package static let encryptedData = ExpandedName("EncryptedData", in: namespace)
  package static let encryptedKey = ExpandedName("EncryptedKey", in: namespace)
  static let encryptionMethod = ExpandedName("EncryptionMethod", in: namespace)
  static let keySize = ExpandedName("KeySize", in: namespace)
  static let oaepParameters = ExpandedName("OAEPparams", in: namespace)
  static let mask = ExpandedName("MGF", in: namespace11)
  static let cipherData = ExpandedName("CipherData", in: namespace)
  static let cipherValue = ExpandedName("CipherValue", in: namespace)
  static let cipherReference = ExpandedName("CipherReference", in: namespace)
  static let encryptionProperties = ExpandedName("EncryptionProperties", in: namespace)
  static let referenceList = ExpandedName("ReferenceList", in: namespace)
  static let carriedKeyName = ExpandedName("CarriedKeyName", in: namespace)

  static let agreementMethod = ExpandedName("AgreementMethod", in: namespace)
  static let nonce = ExpandedName("KA-Nonce", in: namespace)
  static let originatorKeyInfo = ExpandedName("OriginatorKeyInfo", in: namespace)
  static let recipientKeyInfo = ExpandedName("RecipientKeyInfo", in: namespace)
  static let keyDerivationMethod = ExpandedName("KeyDerivationMethod", in: namespace11)
  static let concatParameters = ExpandedName("ConcatKDFParams", in: namespace11)
  /// In the order in which they are digested.
  static let otherInfo = [
    "AlgorithmID", "PartyUInfo", "PartyVInfo", "SuppPubInfo", "SuppPrivInfo",
  ].map { ExpandedName($0) }

  static let retrievalMethod = ExpandedName("RetrievalMethod", in: DSName.namespace)
  static let keyValue = ExpandedName("KeyValue", in: DSName.namespace)
  static let x509Data = ExpandedName("X509Data", in: DSName.namespace)
  static let x509Certificate = ExpandedName("X509Certificate", in: DSName.namespace)
  static let ecKeyValue = ExpandedName("ECKeyValue", in: signature11)
  static let namedCurve = ExpandedName("NamedCurve", in: signature11)
  static let publicKey = ExpandedName("PublicKey", in: signature11)
  static let derEncodedKeyValue = ExpandedName("DEREncodedKeyValue", in: signature11)

  static let elementType = "http://www.w3.org/2001/04/xmlenc#Element"
  static let encryptedKeyType = "http://www.w3.org/2001/04/xmlenc#EncryptedKey"
  static let oaepMGF1SHA1 = "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p"
  static let oaep = "http://www.w3.org/2009/xmlenc11#rsa-oaep"
  static let maskPrefix = "http://www.w3.org/2009/xmlenc11#mgf1"
  static let pkcs1 = "http://www.w3.org/2001/04/xmlenc#rsa-1_5"
  static let ellipticAgreement = "http://www.w3.org/2009/xmlenc11#ECDH-ES"
  static let x25519Agreement = "http://www.w3.org/2021/04/xmldsig-more#x25519"
  static let concatKDF = "http://www.w3.org/2009/xmlenc11#ConcatKDF"
}
