public import TokenErrors

extension TokenError.Code {
  /// The service does not know the realm or its reply address.
  public static let clientRelyingParty = Self(
    "client.relying-party",
    "Access Control Service does not know this realm, or its reply address does not match",
    hint: "register realm and return URL exactly; a new realm takes some minutes")
  /// The service refused name, secret or assertion.
  public static let clientCredentials = Self(
    "client.credentials",
    "Access Control Service refused the name, secret, code or assertion",
    hint: "check the service identity and its key; a clock that is off refuses assertions too")
  /// The relying party lacks a key.
  public static let clientServiceKey = Self(
    "client.service-key",
    "Access Control Service has no key to sign or encrypt tokens of this realm",
    hint:
      "add a symmetric key for SWT, a certificate for SAML, an encryption certificate if demanded")
  /// The rules give no claims.
  public static let clientNoClaims = Self(
    "client.no-claims",
    "the rules of the realm gave no claims, so there is no token",
    hint: "add a rule for this identity provider to the realm's rule groups")
  /// The identity provider failed.
  public static let clientProviderFailed = Self(
    "client.provider-failed",
    "the identity provider failed or its answer was refused by Access Control Service",
    hint:
      "try again later; if it stays, check the provider's application id, secret and certificate")
  /// The service is busy.
  public static let clientServiceBusy = Self(
    "client.service-busy",
    "Access Control Service is busy or asked to slow down",
    hint: "try again later: it was tried several times already")
  /// The service refused the request.
  public static let clientRequestRefused = Self(
    "client.request-refused",
    "Access Control Service refused the request",
    hint: "see the ACS code; the same request will be refused again")
  /// The service failed.
  public static let clientServiceFailed = Self(
    "client.service-failed",
    "Access Control Service failed",
    hint: "try again later; the trace id helps its operators")
  package static let accessControl: [Self] = [
    .clientRelyingParty, .clientCredentials, .clientServiceKey, .clientNoClaims,
    .clientProviderFailed, .clientServiceBusy, .clientRequestRefused, .clientServiceFailed,
  ]
}
