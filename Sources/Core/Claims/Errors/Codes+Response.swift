public import TokenBasics

extension TokenError.Code {
  /// The identity provider reports a failure.
  public static let responseStatus = Self(
    "response.status",
    "the identity provider reports a failure",
    fault: .person,
    hint:
      "the status code names the reason")
  /// The message holds no token.
  public static let noAssertion = Self(
    "response.no-assertion",
    "the message holds no token",
    hint:
      "a successful response carries one")
  /// The message holds more than one token.
  public static let severalAssertions = Self(
    "response.several-assertions",
    "the message holds more than one token",
    hint:
      "exactly one is accepted; a second is how signatures are wrapped")
  /// The assertion has no authentication statement.
  public static let noAuthentication = Self(
    "response.no-authentication",
    "the assertion has no statement that the subject signed in",
    hint:
      "a browser sign-in needs an AuthnStatement (SAML Profiles 4.1.4.2)")
  /// The message is not of the version that its namespace promises.
  public static let messageVersion = Self(
    "response.version",
    "the message is not of the version that its namespace promises",
    hint:
      "SAML 2.0 has Version=\"2.0\", SAML 1.1 MajorVersion=\"1\" and "
      + "MinorVersion=\"1\"")
  /// The response names no destination.
  public static let destinationMissing = Self(
    "response.destination-missing",
    "the response does not say where it was sent",
    hint:
      "a recipient was asked for, and Destination is missing")
  /// The response was sent to another address.
  public static let destinationMismatch = Self(
    "response.destination-mismatch",
    "the response was sent to another address",
    hint:
      "if the address found is yours, expect it as the recipient; if not, the message was sent to another "
      + "service; addresses are compared byte for byte")
  /// The response answers no request.
  public static let responseUnsolicited = Self(
    "response.in-response-to-missing",
    "the response answers no request",
    hint:
      "a request was named; a signed SAML response must have it as InResponseTo, a JSON Web Token as "
      + "nonce")
  /// The response answers another request.
  public static let responseRequestMismatch = Self(
    "response.in-response-to-mismatch",
    "the response answers another request",
    hint:
      "the token was made for another sign-in")
  /// The response and the bearer confirmation answer different requests.
  public static let requestConflict = Self(
    "response.in-response-to-conflict",
    "the response and the bearer confirmation answer different requests",
    hint:
      "both must name the request that the service sent (SAML Profiles 4.1.4.2)")
  /// The token has no signed place for the recipient that is expected.
  public static let recipientUnprovable = Self(
    "response.recipient-unprovable",
    "the token has no signed place for the recipient that is expected",
    hint:
      "the sender of a token can write what no signature covers: expect no recipient of this "
      + "format, or have the issuer sign the SAML 1.1 response around the assertion")
  /// The token has no signed place for the request that is expected.
  public static let requestUnprovable = Self(
    "response.in-response-to-unprovable",
    "the token has no signed place for the request that is expected",
    hint:
      "the sender of a token can write what no signature covers: expect no request of this format, "
      + "or have the issuer sign the SAML 1.1 response around the assertion")
  /// The message is a SOAP fault.
  public static let soapFault = Self(
    "response.fault",
    "the message is a SOAP fault",
    hint:
      "the fault code names the reason")
  /// The token is not of the type that its envelope declares.
  public static let tokenType = Self(
    "response.token-type",
    "the token is not of the type that its envelope declares",
    hint:
      "ValueType and content must agree")
  /// The message is an ArtifactResponse, which holds the message with the token.
  public static let artifactResponse = Self(
    "response.artifact-response",
    "the message is an ArtifactResponse, the answer of a back channel, and no token",
    hint:
      "pass the Response in it, as the software that resolved the artifact did; a gate or an application that "
      + "this package signs people in to resolves artifacts itself")
  package static let response: [Self] = [
    .responseStatus,
    .noAssertion,
    .severalAssertions,
    .noAuthentication,
    .messageVersion,
    .destinationMissing,
    .destinationMismatch,
    .responseUnsolicited,
    .responseRequestMismatch,
    .requestConflict,
    .recipientUnprovable,
    .requestUnprovable,
    .soapFault,
    .tokenType,
    .artifactResponse,
  ]
}
