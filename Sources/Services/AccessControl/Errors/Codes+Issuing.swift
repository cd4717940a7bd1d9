public import TokenBasics

extension TokenError.Code {
  /// The realm is not configured. Access Control Service: ACS50001.
  public static let issuingRealm = Self(
    "issuing.unknown-realm", "no relying party has this realm",
    hint: "compare the realm of the request with those of the file, octet for octet")
  /// No return address, or one that is not registered. Access Control Service: ACS50011.
  public static let issuingReplyAddress = Self(
    "issuing.reply-address", "the relying party has no such return address",
    hint:
      "register the address; it is compared octet for octet, only the port of a loopback address may differ"
  )
  /// The name or the secret of a service identity is wrong. Access Control Service: ACS50012.
  public static let issuingCredentials = Self(
    "issuing.credentials", "the name or the secret of the service identity is wrong",
    hint: "the answer does not say which; the file has both")
  /// The password of the admin pages is wrong. Access Control Service: ACS50012.
  public static let issuingPassword = Self(
    "issuing.password", "the password of the admin pages is wrong",
    fault: .person, hint: "acs keys FILE --password prints it")
  /// The subject cancelled at the identity provider. Access Control Service: ACS50019.
  public static let issuingCancelled = Self(
    "issuing.cancelled", "the subject cancelled the sign-in at the identity provider",
    fault: .person, hint: "offer the sign-in again")
  /// No symmetric key to sign with. Access Control Service: ACS50003.
  public static let issuingNoSymmetricKey = Self(
    "issuing.no-symmetric-key", "there is no symmetric key to sign the token with",
    fault: .configuration,
    hint: "a Simple Web Token needs one, of the relying party or of the namespace")
  /// No private key to sign with. Access Control Service: ACS50004.
  public static let issuingNoCertificate = Self(
    "issuing.no-certificate", "there is no private key to sign the token with",
    fault: .configuration,
    hint: "SAML and, without a symmetric key, JSON Web Tokens need the key of the namespace")
  /// Encryption is required and there is no certificate for it. Access Control Service: ACS50005.
  public static let issuingNoEncryption = Self(
    "issuing.no-encryption-certificate",
    "the relying party requires encryption and has no certificate or key for it",
    fault: .configuration,
    hint:
      "name its certificate for SAML, or its JSON Web Key for the format JWT, in encryptTo; a Simple Web Token cannot be encrypted"
  )
  /// A sign-in request without what it must have. Access Control Service: ACS20000.
  public static let issuingRequest = Self(
    "issuing.sign-in-request", "the sign-in request is not one",
    hint: "WS-Federation asks with wa=wsignin1.0 and wtrealm")
  /// A SAML request that cannot be met. Access Control Service: ACS20000.
  public static let issuingSAMLRequest = Self(
    "issuing.saml-request", "the SAML request cannot be answered",
    hint: "the node names the part, such as Destination, IssueInstant or ProtocolBinding")
  /// An authorization request that cannot be met. Access Control Service: ACS20000.
  public static let issuingAuthorizationRequest = Self(
    "issuing.authorization-request", "the authorization request cannot be answered",
    hint: "the node names the parameter; docs/acs-reference.md lists what is taken")
  /// A sign-in that this browser did not begin, or not with this provider. Access Control Service: ACS20000.
  public static let issuingSignIn = Self(
    "issuing.sign-in", "the sign-in was not begun here in this browser, or is over",
    hint: "begin again at the application; the browser has to keep cookies")
  /// A format of names that is not issued, or not for this subject. Access Control Service: ACS20000.
  public static let issuingNameFormat = Self(
    "issuing.name-format", "the subject has no name in the format that the request wants",
    hint:
      "an e-mail address needs a provider that is authoritative for its domain, a persistent name one whose names last"
  )
  /// None or several names of a subject. Access Control Service: ACS20001.
  public static let issuingSubject = Self(
    "issuing.subject", "the identity provider did not say exactly one lasting name of the subject",
    hint: "subjectFrom of the provider names the attribute that identifies people")
  /// No key for the identifiers of subjects. Access Control Service: ACS50003.
  public static let issuingNoIdentifierKey = Self(
    "issuing.no-identifier-key", "there is no key to make identifiers of subjects with",
    fault: .configuration,
    hint: "the file of the keys has it; a namespace made in code gets it as identifiers")
  /// What was asked about the sign-in was not met. Access Control Service: ACS20001.
  public static let issuingFreshness = Self(
    "issuing.freshness", "the identity provider did not sign the subject in as was asked",
    fault: .person,
    hint:
      "the node says whether the time, the context or the person differs; nothing is added to what the provider says"
  )
  /// An assertion without what it has to hold. Access Control Service: as the assertion's other errors.
  public static let issuingAssertion = Self(
    "issuing.assertion", "the assertion of the service identity lacks what it has to hold",
    hint: "issuer and subject are its name, it ends within a day, and it is used once")
  /// A rule that gives a claim that tokens keep for themselves.
  public static let issuingReservedClaim = Self(
    "issuing.reserved-claim", "a rule gives a claim whose name tokens keep for themselves",
    fault: .configuration, hint: "give the claim another type")
  /// No identity provider of that name serves the relying party. Access Control Service: ACS20000.
  public static let issuingProvider = Self(
    "issuing.unknown-provider", "no identity provider of the relying party has this name",
    hint: "whr is the value of the identity provider claim, such as Google")
  /// The identity provider answered with an error. Access Control Service: ACS20001, ACS30000, ACS40000.
  public static let issuingProviderAnswer = Self(
    "issuing.provider-answer", "the identity provider answered with an error",
    fault: .provider, hint: "the provider's own log has the cause")
  /// A request lacks a field. Access Control Service: ACS90011.
  public static let issuingField = Self(
    "issuing.missing-field", "the request lacks a field, or has one of another request",
    hint: "compare the fields with those of the grant or profile")
  /// The method does not fit the address. Access Control Service: ACS90007.
  public static let issuingMethod = Self(
    "issuing.method", "the address does not answer this method",
    hint: "token endpoints are posted to")
  /// A grant type that is not supported. Access Control Service: ACS70003.
  public static let issuingGrantType = Self(
    "issuing.grant-type", "the grant type is not supported",
    hint: "client_credentials, authorization_code, refresh_token, or an assertion")
  /// A code or refresh token that is over, used, or another client's. Access Control Service: ACS70008.
  public static let issuingGrant = Self(
    "issuing.grant", "the code or refresh token is over, was used, or belongs to another client",
    hint: "sign the subject in again; a code is good for one exchange within its time")
  /// No such client. Access Control Service: ACS70001.
  public static let issuingClient = Self(
    "issuing.unknown-client", "no service identity has the name of this client",
    hint: "client_id is the name of a service identity")
  /// The secret of a client is wrong. Access Control Service: ACS70002.
  public static let issuingClientSecret = Self(
    "issuing.client-secret", "the secret of the client is wrong",
    hint: "client_secret is the password of the service identity")
  /// Too many requests. Access Control Service: ACS90055.
  public static let issuingRate = Self(
    "issuing.rate", "more requests for tokens came than the namespace allows",
    fault: .service, hint: "wait as long as Retry-After says, then twice as long")
  /// The file of the service is not JSON.
  public static let issuingFileSyntax = Self(
    "issuing.file-syntax", "the file of the token service is not JSON",
    fault: .configuration, hint: "the node is the place, and found says what is there")
  /// The file of the service has an unknown member, or lacks one.
  public static let issuingFileMember = Self(
    "issuing.file-member", "a member of the token service's file is unknown or missing",
    fault: .configuration, hint: "docs/acs-reference.md lists the members")
  /// The file of the service has a value that is refused.
  public static let issuingFileValue = Self(
    "issuing.file-value", "a value in the token service's file is refused",
    fault: .configuration,
    hint: "correct the line that the error names; expected says what it may be")
  /// A message that is no SOAP envelope. Access Control Service: ACS10000.
  public static let issuingSOAPMessage = Self(
    "issuing.soap-message", "the SOAP message cannot be processed",
    hint: "an envelope of SOAP 1.2 or 1.1 with a header and a body")
  /// The header of a SOAP message. Access Control Service: ACS10001.
  public static let issuingSOAPHeader = Self(
    "issuing.soap-header", "the header of the SOAP message cannot be processed",
    hint: "To is the address of the endpoint, Action that of RST/Issue")
  /// The body of a SOAP message. Access Control Service: ACS10002.
  public static let issuingSOAPBody = Self(
    "issuing.soap-body", "the body of the SOAP message cannot be processed",
    hint: "one RequestSecurityToken with AppliesTo, for a bearer token")
  /// The security header of a SOAP message. Access Control Service: ACS10003.
  public static let issuingSOAPSecurity = Self(
    "issuing.soap-security", "the security header of the SOAP message cannot be processed",
    hint: "a UsernameToken with a password in clear text, and a Timestamp that holds")
  /// Metadata cannot be made. Access Control Service: ACS20002.
  public static let issuingMetadata = Self(
    "issuing.metadata", "the metadata of the namespace cannot be made",
    fault: .configuration, hint: "a namespace without a certificate has none")
  /// Metadata of a relying party cannot be used. Access Control Service: ACS20003.
  public static let issuingMetadataImport = Self(
    "issuing.metadata-import", "the metadata of a relying party cannot be used",
    hint: "SAML 2.0 metadata of a service provider, with the realm as its entityID")
  /// Metadata of a relying party at an address that was not fetched yet. Access Control Service: ACS20002.
  public static let issuingMetadataUnavailable = Self(
    "issuing.metadata-unavailable",
    "the metadata of the relying party could not be fetched yet",
    fault: .provider,
    hint:
      "found says why the last attempt failed; the service tries again by itself, and /health has a line for it"
  )
  /// Rules that another page changed in the meantime.
  public static let issuingRulesChanged = Self(
    "issuing.rules-changed", "the rules changed since the page was shown",
    hint: "look at the rules as they are now, then change them again")
  /// The rules gave no claim, so there is no token. Access Control Service: ACS60001.
  public static let rulesNoOutput = Self(
    "rules.no-output",
    "no rule of the relying party gave a claim, and a token without claims is not issued",
    fault: .person,
    hint: "add a rule for a claim that the identity provider sends; nothing passes by itself")
  /// The rules were given, or gave, more claims than allowed. Access Control Service: ACS60000.
  public static let rulesTooManyClaims = Self(
    "rules.too-many-claims",
    "the identity provider sent, or the rules gave, more claims than allowed",
    hint: "leave out claims at the provider, or narrow the rules that pass every claim on")
  /// Rules upon rules that do not come to an end. Access Control Service: ACS60000.
  public static let rulesTooManyPasses = Self(
    "rules.too-many-passes", "rules upon rules give claims beyond the last pass",
    fault: .configuration,
    hint: "shorten the chain: let a rule give at once what several give one after the other")
  /// An admin who may look, and wants to change. Access Control Service: ACS50012.
  public static let issuingAdminRole = Self(
    "issuing.admin-role", "this admin may look at the service and not change it",
    fault: .person,
    hint:
      "have an admin with the role editor do it; admins of the service's file says who has which")
  /// A protocol, or a client, that the relying party does not list.
  public static let issuingProtocol = Self(
    "issuing.protocol", "the relying party gives no tokens by this protocol to this client",
    hint:
      "docs/acs-reference.md, protocols: add the line that the error expects to the relying party in acs.json"
  )
  /// A kind of token that cannot be encrypted, for a relying party that demands encryption.
  public static let issuingUnencrypted = Self(
    "issuing.unencrypted",
    "the relying party takes encrypted tokens alone, and this kind cannot be encrypted",
    hint: "ask for a token in the format of the relying party, which encryptTo encrypts")
  /// The codes of this module.
  public static let issuingCodes: [Self] = [
    .issuingRealm, .issuingReplyAddress, .issuingCredentials, .issuingCancelled,
    .issuingNoSymmetricKey, .issuingNoCertificate, .issuingNoEncryption, .issuingRequest,
    .issuingProvider, .issuingProviderAnswer, .issuingField, .issuingMethod, .issuingGrantType,
    .issuingGrant, .issuingClient, .issuingClientSecret, .issuingRate, .issuingFileSyntax,
    .issuingFileMember, .issuingFileValue, .issuingSOAPMessage, .issuingSOAPHeader,
    .issuingSOAPBody,
    .issuingSOAPSecurity, .issuingMetadata, .issuingMetadataImport, .issuingMetadataUnavailable,
    .issuingRulesChanged,
    .issuingSAMLRequest, .issuingAuthorizationRequest, .issuingSignIn, .issuingNameFormat,
    .issuingSubject, .issuingNoIdentifierKey, .issuingFreshness, .issuingAssertion,
    .issuingReservedClaim, .issuingPassword, .issuingAdminRole, .issuingProtocol,
    .issuingUnencrypted, .rulesNoOutput, .rulesTooManyClaims,
    .rulesTooManyPasses,
  ]
}
