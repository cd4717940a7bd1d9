package import XMLTree

/// The names of SAML 2.0 requests (SAML Core 3.2.1, 3.4, 3.5, 3.7).
package enum ProtocolName {
  package static let authnRequest = samlp("AuthnRequest")
  package static let logoutRequest = samlp("LogoutRequest")
  package static let logoutResponse = samlp("LogoutResponse")
  package static let artifactResolve = samlp("ArtifactResolve")
  package static let artifactResponse = samlp("ArtifactResponse")
  static let artifact = samlp("Artifact")
  static let nameIDPolicy = samlp("NameIDPolicy")
  static let requestedAuthnContext = samlp("RequestedAuthnContext")
  static let sessionIndex = samlp("SessionIndex")

  static let consumerIndex = ExpandedName("AssertionConsumerServiceIndex")
  static let consumerURL = ExpandedName("AssertionConsumerServiceURL")
  static let protocolBinding = ExpandedName("ProtocolBinding")
  static let forceAuthn = ExpandedName("ForceAuthn")
  static let isPassive = ExpandedName("IsPassive")
  static let allowCreate = ExpandedName("AllowCreate")
  static let comparison = ExpandedName("Comparison")
  static let reason = ExpandedName("Reason")

  /// The prefixes that messages are written with.
  static let prefixes = [
    SAML2Name.assertionNamespace: "saml", SAML2Name.protocolNamespace: "samlp",
  ]

  private static func samlp(_ local: String) -> ExpandedName {
    ExpandedName(local, in: SAML2Name.protocolNamespace)
  }
}
