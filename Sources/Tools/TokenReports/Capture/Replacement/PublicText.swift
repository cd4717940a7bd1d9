import Octets
import SecurityKeys

/// What stands in a token and says nothing about anyone: texts of standards and truth values.
enum PublicText {
  /// - Parameter text: Without white space around it.
  static func isPublic(_ text: ArraySlice<UInt8>, _ keeping: Replacer.Keeping) -> Bool {
    let text = String(decoding: text, as: UTF8.self)
    if text.isEmpty || text == "true" || text == "false" { return true }
    switch keeping {
    case .names: return uris.contains(text)
    // The short names among them have no colon.
    case .identifiers: return uris.contains(text) && text.utf8.contains(UInt8(ascii: ":"))
    case .nothing: return false
    }
  }

  static func trimmed(_ octets: [UInt8]) -> ArraySlice<UInt8> {
    var rest = octets[...]
    while let first = rest.first, ASCII.isWhiteSpace(first) { rest.removeFirst() }
    while let last = rest.last, ASCII.isWhiteSpace(last) { rest.removeLast() }
    return rest
  }

  /// Characters of times and versions, right or wrong.
  static func isTimeCharacter(_ byte: UInt8) -> Bool {
    ASCII.isDigit(byte) || ASCII.isWhiteSpace(byte)
      || [ASCII.plus, UInt8(ascii: "T"), UInt8(ascii: "Z")].contains(byte)
      || [UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "-")].contains(byte)
  }

  static func isVersion(_ byte: UInt8) -> Bool { ASCII.isDigit(byte) || byte == UInt8(ascii: ".") }

  static let schemes: Set<String> = ["http", "https", "urn", "mailto", "spn", "ldap", "data"]

  private static func listed(_ prefix: String, _ names: String) -> [String] {
    names.split(separator: " ").map { prefix + $0 }
  }

  /// Whole URIs and words of standards.
  static let uris: Set<String> = Set(
    SAMLText.uris + SecurityText.uris + ClaimTypeText.uris
      + listed(
        "",
        "jwt JWT at+jwt application/jwt application/at+jwt JOSE jose logout+jwt none Ed25519 RS1 Bearer"
      )
      + SignatureAlgorithm.namesInJOSE.map { $0.name.description })

  /// Prefixes and local names that are kept in names.
  static let names: Set<String> = Set(
    """
    xml xmlns xs xsd xsi type nil lang space id string anyURI integer int boolean dateTime \
    base64Binary anyType token date saml saml1 saml2 saml2p samlp samlp1 ds dsig xenc xenc11 ec c14n \
    soap soap11 soap12 soapenv env S SOAP-ENV ecp paos s a e u o d t wst trust wsse wsu wsa wsp wsse11 md mdui alg fed auth n1 ns1 ns2 \
    RequestID ResponseID AssertionID NameIDType AssertionType Text Success Requester Responder \
    VersionMismatch ID Id default
    """.split(separator: " ").map(String.init))
}

/// Names of elements and attributes in the namespaces that a capture knows.
enum MarkupText {
  /// Whether a standard has an element or attribute of that local name.
  static func contains(_ localName: String) -> Bool { names.contains(localName) }

  static let names: Set<String> = Set(
    SAMLText.names("", saml) + SAMLText.names("", security) + SAMLText.names("", services))

  private static let saml = """
    Assertion Issuer Subject NameID BaseID EncryptedID SubjectConfirmation SubjectConfirmationData \
    Conditions Condition AudienceRestriction Audience OneTimeUse ProxyRestriction Advice AssertionIDRef \
    AssertionURIRef EncryptedAssertion Statement AuthnStatement SubjectLocality AuthnContext \
    AuthnContextClassRef AuthnContextDecl AuthnContextDeclRef AuthenticatingAuthority \
    AttributeStatement Attribute AttributeValue EncryptedAttribute AuthzDecisionStatement Action Evidence \
    ID Version IssueInstant Format NameQualifier SPNameQualifier SPProvidedID Method NotBefore \
    NotOnOrAfter Recipient InResponseTo Address Count AuthnInstant SessionIndex SessionNotOnOrAfter \
    DNSName Name NameFormat FriendlyName Resource Decision Namespace Response Status StatusCode \
    StatusMessage StatusDetail Extensions AuthnRequest NameIDPolicy RequestedAuthnContext Scoping IDPList \
    IDPEntry GetComplete RequesterID LogoutRequest LogoutResponse ManageNameIDRequest \
    ManageNameIDResponse NewID NewEncryptedID Terminate NameIDMappingRequest NameIDMappingResponse \
    ArtifactResolve Artifact ArtifactResponse AssertionIDRequest SubjectQuery AuthnQuery AttributeQuery \
    AuthzDecisionQuery Value Destination Consent ForceAuthn IsPassive ProtocolBinding \
    AssertionConsumerServiceIndex AssertionConsumerServiceURL AttributeConsumingServiceIndex \
    ProviderName AllowCreate Comparison ProxyCount ProviderID Loc Reason AssertionID \
    AssertionIDReference AudienceRestrictionCondition DoNotCacheCondition SubjectStatement \
    NameIdentifier ConfirmationMethod AuthenticationStatement AuthorityBinding \
    AuthorizationDecisionStatement AttributeDesignator MajorVersion MinorVersion AuthenticationMethod \
    AuthenticationInstant IPAddress DNSAddress AuthorityKind Location Binding AttributeName \
    AttributeNamespace Request Query AuthenticationQuery AuthorizationDecisionQuery AssertionArtifact \
    ResponseID RequestID RespondWith RelayState
    """

  private static let security = """
    Signature SignedInfo SignatureValue CanonicalizationMethod SignatureMethod HMACOutputLength Reference \
    Transforms Transform DigestMethod DigestValue XPath KeyInfo KeyName MgmtData KeyValue \
    RetrievalMethod X509Data X509IssuerSerial X509IssuerName X509SerialNumber X509SKI \
    X509SubjectName X509Certificate X509CRL PGPData PGPKeyID PGPKeyPacket SPKIData SPKISexp Object \
    Manifest SignatureProperties SignatureProperty DSAKeyValue P Q G Y J Seed PgenCounter RSAKeyValue \
    Modulus Exponent Id Algorithm URI Type Target MimeType Encoding ECKeyValue NamedCurve PublicKey \
    ECParameters DEREncodedKeyValue KeyInfoReference X509Digest OCSPResponse EncryptedData \
    EncryptedKey EncryptionMethod KeySize OAEPparams CipherData CipherValue CipherReference \
    EncryptionProperties EncryptionProperty ReferenceList DataReference KeyReference CarriedKeyName \
    AgreementMethod KA-Nonce OriginatorKeyInfo RecipientKeyInfo MGF ConcatKDFParams \
    KeyDerivationMethod DerivedKey MasterKeyName DerivedKeyName PBKDF2-params AlgorithmID PartyUInfo \
    PartyVInfo SuppPubInfo SuppPrivInfo InclusiveNamespaces PrefixList type nil schemaLocation \
    noNamespaceSchemaLocation lang space base id
    """

  private static let services = """
    Envelope Header Body Fault faultcode faultstring faultactor detail Code Subcode Text Node Role \
    Detail NotUnderstood Upgrade mustUnderstand actor role relay encodingStyle RequestSecurityToken \
    RequestSecurityTokenResponse RequestSecurityTokenResponseCollection TokenType RequestType Lifetime \
    AppliesTo RequestedSecurityToken RequestedAttachedReference RequestedUnattachedReference \
    RequestedProofToken RequestedDisplayToken KeyType Entropy BinarySecret Claims ComputedKey \
    Authenticator CombinedHash Context Dialect OnBehalfOf ActAs Forwardable Delegatable Renewing \
    EndpointReference ReferenceProperties ReferenceParameters Metadata PortType ServiceName \
    Policy To From ReplyTo FaultTo MessageID RelatesTo IsReferenceParameter RelationshipType \
    Security SecurityTokenReference KeyIdentifier BinarySecurityToken Embedded UsernameToken Username \
    Password Nonce ValueType EncodingType Usage Timestamp Created Expires SignatureConfirmation \
    EncryptedHeader Salt Iteration ThumbprintSHA1 responseConsumerURL messageID service refToMessageID
    """
}

/// URIs of XML Signature, XML Encryption, SOAP and WS-*.
enum SecurityText {
  static let uris: [String] =
    SignatureAlgorithm.all.map(\.uri) + DigestAlgorithm.allCases.map(\.uri)
    + ContentCipher.allCases.map(\.uri)
    + SAMLText.names(
      "http://www.w3.org/",
      """
      2000/09/xmldsig# 2000/09/xmldsig#enveloped-signature 2000/09/xmldsig#base64 \
      2000/09/xmldsig#dsa-sha1 2000/09/xmldsig#Object 2000/09/xmldsig#Manifest \
      2000/09/xmldsig#hmac-sha1 2009/xmldsig11# 2001/04/xmldsig-more# \
      2001/04/xmldsig-more#rsa-md5 2001/04/xmldsig-more#md5 2001/04/xmlenc# \
      2001/04/xmlenc#Element 2001/04/xmlenc#Content 2001/04/xmlenc#EncryptedKey \
      2001/04/xmlenc#rsa-1_5 2001/04/xmlenc#rsa-oaep-mgf1p 2001/04/xmlenc#kw-aes128 \
      2001/04/xmlenc#kw-aes192 2001/04/xmlenc#kw-aes256 2009/xmlenc11# 2009/xmlenc11#rsa-oaep \
      2009/xmlenc11#mgf1sha1 2009/xmlenc11#mgf1sha224 2009/xmlenc11#mgf1sha256 \
      2009/xmlenc11#mgf1sha384 2009/xmlenc11#mgf1sha512 2009/xmlenc11#ECDH-ES \
      2009/xmlenc11#ConcatKDF 2001/10/xml-exc-c14n# 2001/10/xml-exc-c14n#WithComments \
      TR/2001/REC-xml-c14n-20010315 TR/2001/REC-xml-c14n-20010315#WithComments 2006/12/xml-c14n11 \
      2006/12/xml-c14n11#WithComments TR/1999/REC-xslt-19991116 TR/1999/REC-xpath-19991116 \
      2002/06/xmldsig-filter2 2001/XMLSchema 2001/XMLSchema-instance XML/1998/namespace \
      2000/xmlns/ 2003/05/soap-envelope 2005/08/addressing 1999/XSL/Transform
      """)
    + SAMLText.names(
      "http://schemas.xmlsoap.org/",
      """
      soap/envelope/ soap/actor/next ws/2005/02/trust ws/2004/09/policy ws/2004/08/addressing \
      ws/2005/02/trust/Issue ws/2005/05/identity ws/2005/05/identity/NoProofKey \
      ws/2006/12/federation ws/2005/05/identity/claims ws/2009/09/identity/claims \
      ws/2005/02/trust/RSTR/Issue
      """)
    + SAMLText.names(
      "http://docs.oasis-open.org/",
      """
      ws-sx/ws-trust/200512 ws-sx/ws-trust/200512/Issue ws-sx/ws-trust/200512/Bearer \
      ws-sx/ws-trust/200512/RSTRC/IssueFinal ws-sx/ws-trust/200512/PublicKey \
      wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd \
      wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd \
      wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary \
      wss/oasis-wss-wssecurity-secext-1.1.xsd wss/oasis-wss-saml-token-profile-1.1#SAMLV1.1 \
      wss/oasis-wss-saml-token-profile-1.1#SAMLV2.0 \
      wss/oasis-wss-saml-token-profile-1.0#SAMLAssertionID \
      wss/oasis-wss-saml-token-profile-1.1#SAMLID wsfed/authorization/200706
      """)
    + SAMLText.names(
      "http://www.w3.org/2003/05/soap-envelope/role/", "next none ultimateReceiver")
    + ["urn:liberty:paos:2003-08", "urn:liberty:paos:2006-08"]
    + SAMLText.names(
      "http://schemas.xmlsoap.org/ws/2009/11/swt-token-profile-1.0", " #SimpleWebToken")
    + [
      "http://schemas.xmlsoap.org/ws/2009/11/swt-token-profile-1.0",
      "urn:ietf:params:oauth:token-type:jwt", "urn:ietf:params:xml:ns:keyprov:pskc",
      "http://oauth.net/grant_type/swt/1.0/bearer",
    ]
}

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

/// Names of claims that many issuers use.
enum ClaimTypeText {
  static let uris: [String] =
    SAMLText.names(
      "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/",
      """
      name nameidentifier emailaddress givenname surname upn anonymous authentication country \
      dateofbirth gender homephone locality mobilephone otherphone postalcode privatepersonalidentifier \
      stateorprovince streetaddress webpage sid dns
      """)
    + SAMLText.names(
      "http://schemas.microsoft.com/ws/2008/06/identity/claims/",
      """
      role authenticationmethod authenticationinstant windowsaccountname groupsid primarysid \
      primarygroupsid expiration expired userdata version wids groups
      """)
    + SAMLText.names(
      "http://schemas.microsoft.com/",
      """
      identity/claims/objectidentifier identity/claims/tenantid identity/claims/identityprovider \
      identity/claims/displayname claims/authnmethodsreferences \
      accesscontrolservice/2010/07/claims/identityprovider
      """)
    + SAMLText.names(
      "http://schemas.xmlsoap.org/claims/", "EmailAddress UPN Group CommonName Name")
    + json + swt + formFields

  /// Registered members of JSON Web Tokens and their headers.
  static let json: [String] = SAMLText.names(
    "",
    """
    iss sub aud exp nbf iat jti nonce azp auth_time acr amr at_hash c_hash sid typ alg kid cty crit \
    b64 jku jwk x5u x5c x5t x5t#S256 enc zip kty n e crv x y k use key_ops name given_name family_name \
    middle_name nickname preferred_username profile picture website email email_verified gender \
    birthdate zoneinfo locale phone_number phone_number_verified address updated_at role roles groups \
    scope scp client_id appid tid oid upn ver events securityToken tokenType appliesTo context created \
    expires
    """)

  /// Reserved names of Simple Web Tokens, also as attackers spell them.
  static let swt = SAMLText.names(
    "",
    """
    Issuer Audience ExpiresOn HMACSHA256 issuer ISSUER audience AUDIENCE expireson EXPIRESON \
    hmacsha256
    """)

  /// Fields of forms that carry tokens.
  static let formFields = SAMLText.names(
    "",
    """
    SAMLResponse SAMLRequest SAMLart RelayState SigAlg wresult wa wctx wct wtrealm wreply id_token \
    access_token token_type expires_in assertion client_assertion grant_type wrap_access_token \
    wrap_access_token_expires_in code state
    """)

  static let members = Set(json)
}
