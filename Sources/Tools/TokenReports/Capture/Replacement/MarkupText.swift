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
