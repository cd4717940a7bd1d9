public import TokenErrors

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
