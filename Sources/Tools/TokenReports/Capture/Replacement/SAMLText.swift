/// URIs of SAML, its bindings and profiles.
enum SAMLText {
  static let uris: [String] =
    names(
      "urn:oasis:names:tc:SAML:",
      """
      1.0:assertion 1.0:protocol 2.0:assertion 2.0:protocol 2.0:metadata 1.0:cm:bearer \
      1.0:cm:artifact 1.0:cm:artifact-01 1.0:cm:holder-of-key 1.0:cm:sender-vouches 2.0:cm:bearer \
      2.0:cm:holder-of-key 2.0:cm:sender-vouches 1.0:am:password 1.0:am:unspecified 1.0:am:X509-PKI \
      2.0:attrname-format:basic 2.0:attrname-format:uri 2.0:attrname-format:unspecified \
      1.1:nameid-format:emailAddress 1.1:nameid-format:unspecified \
      1.1:nameid-format:X509SubjectName 1.1:nameid-format:WindowsDomainQualifiedName \
      2.0:nameid-format:persistent 2.0:nameid-format:transient 2.0:nameid-format:entity \
      2.0:nameid-format:kerberos 2.0:nameid-format:encrypted 2.0:nameid-format:emailAddress \
      2.0:ac:classes:Password 2.0:ac:classes:PasswordProtectedTransport 2.0:ac:classes:unspecified \
      2.0:ac:classes:X509 2.0:ac:classes:TLSClient 2.0:ac:classes:Kerberos \
      2.0:ac:classes:PreviousSession 2.0:ac:classes:SmartcardPKI 2.0:ac:classes:TimeSyncToken \
      2.0:ac:classes:InternetProtocol 2.0:ac:classes:MobileTwoFactorContract \
      2.0:consent:unspecified 2.0:consent:obtained 2.0:consent:prior 2.0:bindings:HTTP-POST \
      2.0:bindings:HTTP-Redirect 2.0:bindings:SOAP 2.0:bindings:PAOS 2.0:profiles:SSO:browser \
      2.0:profiles:SSO:ecp
      """)
    + names(
      "urn:oasis:names:tc:SAML:2.0:status:",
      """
      Success Requester Responder VersionMismatch AuthnFailed InvalidAttrNameOrValue \
      InvalidNameIDPolicy NoAuthnContext NoAvailableIDP NoPassive NoSupportedIDP PartialLogout \
      ProxyCountExceeded RequestDenied RequestUnsupported RequestVersionDeprecated \
      RequestVersionTooHigh RequestVersionTooLow ResourceNotRecognized TooManyResponses \
      UnknownAttrProfile UnknownPrincipal UnsupportedBinding
      """)
    // QNames of SAML 1.1, and the words of its decisions.
    + ["samlp:Success", "samlp:Requester", "samlp:Responder", "saml1p:Success", "Permit", "Deny"]
    + names("urn:oasis:names:tc:xacml:2.0:", "action:read")

  static func names(_ prefix: String, _ list: String) -> [String] {
    list.split(separator: " ").map { prefix + $0 }
  }
}
