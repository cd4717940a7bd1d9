import XMLTree

/// The attributes that both versions of SAML use, in no namespace unless noted.
enum AttributeName {
  static let id = ExpandedName("ID")
  static let assertionID = ExpandedName("AssertionID")
  static let responseID = ExpandedName("ResponseID")
  static let version = ExpandedName("Version")
  static let majorVersion = ExpandedName("MajorVersion")
  static let minorVersion = ExpandedName("MinorVersion")
  static let issuer = ExpandedName("Issuer")
  static let issueInstant = ExpandedName("IssueInstant")
  static let destination = ExpandedName("Destination")
  static let recipient = ExpandedName("Recipient")
  static let inResponseTo = ExpandedName("InResponseTo")
  static let value = ExpandedName("Value")
  static let format = ExpandedName("Format")
  static let nameQualifier = ExpandedName("NameQualifier")
  static let spNameQualifier = ExpandedName("SPNameQualifier")
  static let spProvidedID = ExpandedName("SPProvidedID")
  static let method = ExpandedName("Method")
  static let notBefore = ExpandedName("NotBefore")
  static let notOnOrAfter = ExpandedName("NotOnOrAfter")
  static let authnInstant = ExpandedName("AuthnInstant")
  static let authenticationInstant = ExpandedName("AuthenticationInstant")
  static let authenticationMethod = ExpandedName("AuthenticationMethod")
  static let sessionIndex = ExpandedName("SessionIndex")
  static let sessionNotOnOrAfter = ExpandedName("SessionNotOnOrAfter")
  static let name = ExpandedName("Name")
  static let nameFormat = ExpandedName("NameFormat")
  static let friendlyName = ExpandedName("FriendlyName")
  static let attributeName = ExpandedName("AttributeName")
  static let attributeNamespace = ExpandedName("AttributeNamespace")

  /// Of SAML 1.1, a qualified name.
  static let authorityKind = ExpandedName("AuthorityKind")

  static let xsi = "http://www.w3.org/2001/XMLSchema-instance"
  static let xsiNil = ExpandedName("nil", in: xsi)
  static let xsiType = ExpandedName("type", in: xsi)
  static let originalIssuer = ExpandedName(
    "OriginalIssuer", in: "http://schemas.xmlsoap.org/ws/2009/09/identity/claims")
  static let originalIssuer2008 = ExpandedName(
    "OriginalIssuer", in: "http://schemas.microsoft.com/ws/2008/06/identity")
}
