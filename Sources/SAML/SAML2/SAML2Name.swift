package import XMLTree

/// The names of SAML 2.0 (SAML Core, 2005).
package enum SAML2Name {
  package static let assertionNamespace = "urn:oasis:names:tc:SAML:2.0:assertion"
  static let protocolNamespace = "urn:oasis:names:tc:SAML:2.0:protocol"

  package static let assertion = saml("Assertion")
  package static let encryptedAssertion = saml("EncryptedAssertion")
  package static let response = samlp("Response")
  static let issuer = saml("Issuer")
  static let subject = saml("Subject")
  static let nameID = saml("NameID")
  static let encryptedID = saml("EncryptedID")
  static let subjectConfirmation = saml("SubjectConfirmation")
  static let subjectConfirmationData = saml("SubjectConfirmationData")
  static let conditions = saml("Conditions")
  static let audienceRestriction = saml("AudienceRestriction")
  static let audience = saml("Audience")
  static let oneTimeUse = saml("OneTimeUse")
  static let proxyRestriction = saml("ProxyRestriction")
  static let advice = saml("Advice")
  static let authnStatement = saml("AuthnStatement")
  static let authnContext = saml("AuthnContext")
  static let authnContextClassRef = saml("AuthnContextClassRef")
  static let subjectLocality = saml("SubjectLocality")
  static let authzDecisionStatement = saml("AuthzDecisionStatement")
  static let attributeStatement = saml("AttributeStatement")
  static let attribute = saml("Attribute")
  static let encryptedAttribute = saml("EncryptedAttribute")
  static let attributeValue = saml("AttributeValue")
  static let extensions = samlp("Extensions")
  static let status = samlp("Status")
  static let statusCode = samlp("StatusCode")
  static let statusMessage = samlp("StatusMessage")
  static let statusDetail = samlp("StatusDetail")

  static let success: StaticString = "urn:oasis:names:tc:SAML:2.0:status:Success"
  static let bearer: StaticString = "urn:oasis:names:tc:SAML:2.0:cm:bearer"
  static let unspecifiedClass = "urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified"
  static let entityFormat: StaticString = "urn:oasis:names:tc:SAML:2.0:nameid-format:entity"

  private static func saml(_ local: String) -> ExpandedName {
    ExpandedName(local, in: assertionNamespace)
  }
  private static func samlp(_ local: String) -> ExpandedName {
    ExpandedName(local, in: protocolNamespace)
  }
}
