public import TokenBasics

extension TokenError.Code {
  /// An answer that names no request: an identity provider began the sign-in.
  public static let signInUnsolicited = Self(
    "signin.unsolicited",
    "the answer names no request, so the sign-in was not begun here",
    hint:
      "begin at this service; an unsolicited answer can sign a person in to an attacker's account")
  /// The browser has no pending sign-in for the answer.
  public static let signInUnknown = Self(
    "signin.unknown-request",
    "this browser has no pending sign-in for the request that the answer names",
    hint:
      "begin again in this browser, with cookies allowed; the answer may have been meant for another browser"
  )
  /// The cookie of a pending sign-in cannot be opened.
  public static let signInCookie = Self(
    "signin.cookie",
    "the cookie of the pending sign-in was not made by this service, or was changed",
    hint: "begin again; if all sign-ins fail, the instances of the service have different keys")
  /// The answer came after the time for it.
  public static let signInExpired = Self(
    "signin.expired",
    "the answer arrived after the time for the sign-in",
    hint: "begin again; the sign-in has to be finished within the configured time")
  /// RelayState, `wctx` or `state` name another pending sign-in than the answer.
  public static let signInOtherRequest = Self(
    "signin.other-request",
    "the answer belongs to another pending sign-in than the one that its form names",
    hint: "two tabs were mixed up, or an attacker put the message together; begin again")
  /// The answer is from another issuer than the one that was asked.
  public static let signInOtherIssuer = Self(
    "signin.other-issuer",
    "another issuer answered than the one that was asked",
    hint: "begin again and choose the identity provider at which you sign in")
  /// The answer came to another endpoint than the one that was named in the request.
  public static let signInOtherEndpoint = Self(
    "signin.other-endpoint",
    "the answer came to another endpoint than the one that the request named",
    hint: "compare the endpoint that the identity provider has for this service with its metadata")
  /// A second answer to one request.
  public static let signInFinished = Self(
    "signin.finished",
    "the pending sign-in was already finished",
    hint: "open the service again; a double click or the back button sends the answer twice")
  /// The person signed in by a weaker method than the request demanded.
  public static let signInContext = Self(
    "signin.context",
    "the person signed in by another method than the request demanded",
    fault: .person, hint: "sign in again with the demanded method, such as a second factor")
  /// An attribute whose scope is not the issuer's.
  public static let signInScope = Self(
    "signin.scope",
    "an attribute has a scope that the identity provider may not assert",
    hint: "the scopes are in the provider's metadata; an attribute of another domain is no proof")
  /// The identity provider publishes no usable endpoint.
  public static let signInNoEndpoint = Self(
    "signin.no-endpoint",
    "the identity provider publishes no usable endpoint for this",
    fault: .provider,
    hint: "its metadata has to list an https endpoint with a binding that the service supports")
  /// The provider does not offer what is configured for it.
  public static let signInIncompatible = Self(
    "signin.incompatible-provider",
    "the provider's configuration does not offer what is configured here",
    fault: .provider,
    hint:
      "compare the member that the node names with this service's configuration and with the registration at the provider"
  )
  /// A token that a client presents is of another kind than it says, or of one that the provider does not issue.
  public static let signInTokenKind = Self(
    "signin.token-kind",
    "the token is of another kind than the client says, or of one that this provider does not issue",
    hint:
      "compare the token type of the request with the token; an assertion comes without a response around it"
  )
  /// The relying party is configured in a way that cannot work.
  public static let signInConfiguration = Self(
    "signin.configuration",
    "the relying party's configuration cannot work",
    fault: .configuration, hint: "mend the member that the node names")
  /// Sign-ins follow one another so fast that a cookie of ours cannot have come back.
  public static let signInLoop = Self(
    "signin.loop",
    "one application sent the browser to sign in too often within ten seconds",
    fault: .person,
    hint:
      "the session's cookie does not come back: compare domain, Secure, SameSite, size and the clock, and "
      + "look for a second gate on the same path")
  /// No provider of that name is configured.
  public static let signInProvider = Self(
    "signin.provider",
    "no identity provider of that name is configured",
    hint: "choose one on the sign-in page")
  /// A service that is unknown here asks for a person's identity provider.
  public static let signInDiscoveryService = Self(
    "signin.discovery-service",
    "the service that asks for the person's identity provider is not known here",
    hint: "add the service's metadata to those that may ask")
  /// The address for the answer of discovery is not the service's.
  public static let signInDiscoveryReturn = Self(
    "signin.discovery-return",
    "the address for the answer is not one that the service's metadata has for discovery",
    hint: "the service has to publish it as DiscoveryResponse, or an attacker asks in its name")
  /// A form of ours without the token that the page put into it.
  public static let signInForm = Self(
    "signin.form",
    "the form was not sent by a page of this service",
    hint: "open the page again and send its form; another site may have sent this one")
  /// The store of sessions is full.
  public static let signInSessionsFull = Self(
    "signin.sessions-full",
    "the store of sessions is full",
    fault: .service,
    hint: "raise its capacity, or shorten the lifetime of sessions; nobody was signed out")
  /// The store of sessions fails.
  public static let signInSessionStore = Self(
    "signin.session-store",
    "the store of sessions cannot be read or written",
    fault: .service,
    hint: "check its file, permissions and free space; the service answers 503 until it works")
  /// Another process serves from the file of sessions.
  public static let signInSessionStoreOwned = Self(
    "signin.session-store-owned",
    "another process serves from the file of sessions",
    fault: .service,
    hint:
      "end that process, give this one a file of its own, or share a Redis server: two that remember for themselves "
      + "do not see each other's sign-outs")
  /// The file of sessions is one of a later release.
  public static let signInSessionStoreVersion = Self(
    "signin.session-store-version",
    "the file of sessions was written by a later release",
    fault: .service, hint: "run that release, or take another file: people sign in again then")
  /// An ID token that breaks a rule of OpenID Connect.
  public static let signInIDToken = Self(
    "signin.id-token",
    "the ID token is not one of OpenID Connect, or belongs to another code or access token",
    hint: "compare the member that the node names with OpenID Connect Core 1.0, 2 and 3.1.3")
  /// UserInfo that cannot be used.
  public static let signInUserInfo = Self(
    "signin.user-info",
    "the answer of the UserInfo endpoint is about another subject, or of another form",
    hint:
      "the answer has to be JSON, or a signed token for this client, with the subject of the ID token; an encrypted one "
      + "is not read")
  /// Claims that are too old and cannot be read anew.
  public static let signInClaimsUnavailable = Self(
    "signin.claims-unavailable",
    "the claims of the session are due to be read anew, and the provider cannot be asked",
    fault: .provider,
    hint: "the log has the reason of each attempt; the session goes on as soon as one succeeds")
  /// A sign-in whose claims are to be read anew, and no refresh token.
  public static let signInNoRefreshToken = Self(
    "signin.no-refresh-token",
    "the provider gave no refresh token, so the claims of the session stay as they are",
    hint:
      "let the provider give this client refresh tokens (grant refresh_token, scope offline_access), or "
      + "leave refresh out")
  /// An ID token that came unencrypted where the registration demands encryption.
  public static let signInNotEncrypted = Self(
    "signin.not-encrypted",
    "the ID token is not encrypted, and the registration demands that it is",
    hint:
      "let the provider encrypt ID tokens to the keys that are published here (id_token_encrypted_response_alg), or leave "
      + "encrypted out")
  /// A bearer token of which its issuer says that it does not count.
  public static let signInTokenInactive = Self(
    "signin.token-inactive",
    "the issuer says that the bearer token is not active",
    hint: "it has ended, was revoked, or is of another issuer; ask the issuer for a new one")
  /// What an application on another host asked for cannot be opened.
  public static let signInTicketRequest = Self(
    "signin.ticket-request",
    "the address asks for a session at an application, and none of the configured ones asked so",
    hint:
      "open the application's page again; gates that share an application have the same cookieKeys")
  /// A ticket that opens nothing.
  public static let signInTicketUnknown = Self(
    "signin.ticket-unknown",
    "the ticket is not known: it was used, is older than 30 s, or was never given",
    hint: "open the application's page again; a ticket counts once")
  /// A ticket that came to another application.
  public static let signInTicketOtherHost = Self(
    "signin.ticket-other-host",
    "the ticket is for an application on another host",
    hint: "open the application's page again; the ticket is used up")
  /// A ticket in a browser that did not ask for it.
  public static let signInTicketOtherBrowser = Self(
    "signin.ticket-other-browser",
    "the ticket is for another browser, or this one does not send the cookie that it got",
    hint: "open the application's page again, with cookies allowed; the ticket is used up")
  /// A sign-in that a picture, a script or a frame of another site would begin, or a browser before anybody asked.
  public static let signInNotNavigation = Self(
    "signin.not-a-navigation",
    "a sign-in begins when a person opens a page, and this request is for a part of another page, or ahead of time",
    hint:
      "link to the page; pictures, scripts, frames of other sites and prefetching begin no sign-in")
  /// A message of logout without a signature.
  public static let logoutUnsigned = Self(
    "logout.unsigned",
    "the logout message is not signed, so it ends nothing",
    hint: "the identity provider has to sign logout messages")
  /// A logout request of another issuer or for another subject than the session's.
  public static let logoutOtherSession = Self(
    "logout.other-session",
    "the logout message names another issuer, subject or session than one that exists here",
    hint: "nothing ended; the session may have ended before")
  /// A logout message out of its time.
  public static let logoutExpired = Self(
    "logout.expired",
    "the logout message came after its time",
    hint: "compare the clocks of both sides; nothing ended")
  /// A logout response that answers nothing.
  public static let logoutUnsolicited = Self(
    "logout.unsolicited",
    "the logout response answers no request of this browser",
    hint: "nothing is to be done; the local session ended when sign-out began")
  /// The identity provider refused, and says why.
  public static let signInRefused = Self(
    "signin.refused",
    "the identity provider refused the sign-in",
    fault: .person,
    hint: "what was found is the identity provider's own reason; its administrator can say more")
  /// A logout token with a member that the standard forbids or without one that it demands.
  public static let logoutToken = Self(
    "logout.token",
    "the logout token is not one of OpenID Connect Back-Channel Logout",
    hint: "compare the token with section 2.4 of that standard")
  /// The codes of this module.
  public static let signInCodes: [Self] = [
    .signInUnsolicited, .signInUnknown, .signInCookie, .signInExpired, .signInOtherRequest,
    .signInOtherIssuer, .signInOtherEndpoint, .signInFinished, .signInRefused, .signInContext,
    .signInScope, .signInNoEndpoint, .signInIncompatible, .signInTokenKind, .signInConfiguration,
    .signInIDToken,
    .signInUserInfo,
    .signInLoop, .signInProvider, .signInDiscoveryService, .signInDiscoveryReturn,
    .signInForm, .signInSessionsFull, .signInSessionStore,
    .signInClaimsUnavailable, .signInTokenInactive, .signInNoRefreshToken, .signInSessionStoreOwned,
    .signInSessionStoreVersion, .signInTicketRequest, .signInTicketUnknown, .signInTicketOtherHost,
    .signInTicketOtherBrowser, .signInNotEncrypted, .signInNotNavigation,
    .logoutUnsigned, .logoutOtherSession, .logoutExpired, .logoutUnsolicited, .logoutToken,
  ]
}
