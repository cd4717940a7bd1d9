import HTTPExchange
public import TokenBasics

extension TokenError.Code {
  /// The sign-in took too long.
  public static let clientTimeout = Self(
    "client.timeout",
    "the sign-in was not finished in time",
    hint: "begin again, and finish in the browser that opens")
  /// No such identity provider.
  public static let clientProvider = Self(
    "client.provider",
    "there is no identity provider of that name or for that address",
    hint: "choose one of the providers that the service lists")
  /// The person signed in at another identity provider than the chosen one.
  public static let clientOtherProvider = Self(
    "client.other-provider",
    "the sign-in was made at another identity provider than the one that was chosen",
    hint: "begin again; if it happens again, an attacker may be replacing the person who signs in"
  )
  package static let client: [Self] =
    browserCodes + [.clientTimeout, .clientProvider, .clientOtherProvider] + accessControl
}

extension TokenError.Code {
  /// The codes of sessions and of the services at which the client signs in, family by family;
  /// `browserCodes` are among them.
  public static let clientCodes: [Self] = [
    session, client, mobileFoundation, mobileServices, opro,
  ].flatMap(\.self)
}

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

extension TokenError.Code {
  /// No handler is registered for the check.
  public static let clientUnhandledChallenge = Self(
    "client.unhandled-challenge",
    "the server asks for a security check that no handler is registered for",
    hint: "register a challenge handler for the check that the node names")
  /// Every handler kept its answer back.
  public static let clientUnansweredChallenge = Self(
    "client.unanswered-challenge",
    "no handler answered any of the server's security checks",
    hint: "at least one check needs an answer, or the person cancels")
  /// A check failed for good.
  public static let clientSecurityCheck = Self(
    "client.security-check",
    "a security check failed and takes no more answers",
    hint: "what was found are the check's own words; a blocked account opens again by itself"
  )
  /// One at a time.
  public static let clientBusy = Self(
    "client.busy",
    "a login or an authorization is already under way",
    hint: "wait for it, or answer its challenge instead of logging in")
  /// The server refused to register the client.
  public static let clientRegistration = Self(
    "client.registration",
    "the server refused to register the client",
    hint: "application, platform and version must be registered at the server")
  /// The server does not know the client.
  public static let clientUnknownClient = Self(
    "client.unknown-client",
    "the server does not know the client, also after it registered anew",
    hint: "look at the server's log: something keeps it from storing registrations")
  /// What was kept is not an identity.
  public static let clientIdentity = Self(
    "client.identity",
    "what was kept as the client's identity cannot be read",
    hint: "forget it; the client registers anew")
  /// The server gives no token.
  public static let clientAuthorization = Self(
    "client.authorization",
    "the server refused the authorization",
    hint: "the server's code names the reason; an unregistered client has no session to end"
  )
  package static let mobileFoundation: [Self] = [
    .clientUnhandledChallenge, .clientUnansweredChallenge, .clientSecurityCheck, .clientBusy,
    .clientRegistration, .clientUnknownClient, .clientIdentity, .clientAuthorization,
  ]
}

extension TokenError.Code {
  /// No token store.
  public static let clientIdentities = Self(
    "client.identities",
    "the service keeps no identities of its users",
    hint: "switch the token store of the app on")
  /// No, in the service's own words.
  public static let clientSignInRefused = Self(
    "client.sign-in-refused",
    "the service refused the sign-in",
    hint: "its own words say why; they are for the person and nothing to compare with")
  package static let mobileServices: [Self] = [.clientIdentities, .clientSignInRefused]
}

extension TokenError.Code {
  /// The application is unknown.
  public static let clientApplication = Self(
    "client.application",
    "the server does not know the client id, or the secret is not its own",
    hint: "compare both with the page of the application at the server")
  /// The user name or the password is wrong.
  public static let clientPassword = Self(
    "client.password",
    "the user name or the password is wrong, or the application may not trade passwords",
    hint: "try again; if it is right, the server's owner has to allow the password exchange")
  /// A code that is used up.
  public static let clientCode = Self(
    "client.code",
    "the authorization code is unknown or was used",
    hint: "begin again in the browser; a code works once")
  /// The person did not grant this.
  public static let clientPermission = Self(
    "client.permission",
    "the person did not grant the permission that the request needs",
    fault: .person, hint: "send the person through the consent page again, with that permission")
  /// Too many requests.
  public static let clientRateLimited = Self(
    "client.rate-limited",
    "the service takes no more requests of this application for now",
    hint: "wait; the service does not say for how long")
  package static let opro: [Self] = [
    .clientApplication, .clientPassword, .clientCode, .clientPermission, .clientRateLimited,
  ]
}
