package import XMLTree

/// The names of SAML 1.1 (SAML Core 1.1, 2003). Its namespaces contain 1.0.
package enum SAML1Name {
  package static let assertionNamespace = "urn:oasis:names:tc:SAML:1.0:assertion"
  static let protocolNamespace = "urn:oasis:names:tc:SAML:1.0:protocol"

  package static let assertion = saml("Assertion")
  package static let response = samlp("Response")
  static let conditions = saml("Conditions")
  static let audienceRestriction = saml("AudienceRestrictionCondition")
  static let audience = saml("Audience")
  static let doNotCache = saml("DoNotCacheCondition")
  static let advice = saml("Advice")
  static let subject = saml("Subject")
  static let nameIdentifier = saml("NameIdentifier")
  static let subjectConfirmation = saml("SubjectConfirmation")
  static let confirmationMethod = saml("ConfirmationMethod")
  static let subjectConfirmationData = saml("SubjectConfirmationData")
  static let authenticationStatement = saml("AuthenticationStatement")
  static let authorizationDecisionStatement = saml("AuthorizationDecisionStatement")
  static let attributeStatement = saml("AttributeStatement")
  static let attribute = saml("Attribute")
  static let attributeValue = saml("AttributeValue")
  static let status = samlp("Status")
  static let statusCode = samlp("StatusCode")
  static let statusMessage = samlp("StatusMessage")
  static let statusDetail = samlp("StatusDetail")

  static let bearer = "urn:oasis:names:tc:SAML:1.0:cm:bearer"
  /// Both names of the artifact profile's method (SAML Bindings 1.1, 4.1.1; 1.0 had the second).
  static let artifacts = [
    "urn:oasis:names:tc:SAML:1.0:cm:artifact", "urn:oasis:names:tc:SAML:1.0:cm:artifact-01",
  ]
  static let unspecifiedMethod = "urn:oasis:names:tc:SAML:1.0:am:unspecified"

  private static func saml(_ local: String) -> ExpandedName {
    ExpandedName(local, in: assertionNamespace)
  }
  private static func samlp(_ local: String) -> ExpandedName {
    ExpandedName(local, in: protocolNamespace)
  }
}
