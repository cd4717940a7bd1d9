extension Feature {
  /// Features of all services.
  static let sessions: [Feature] = [
    Feature(
      "S0/S1, S2, S3", "credentials are kept and taken up at the next start",
      "S2 S3 Everything that was stored is read at the next start",
      "S0/S1 S2 S3 The next start finds the session; after log-out it does not"),
    Feature(
      "S0/S1", "log-out: the store, the provider's cookies, the client",
      "S0/S1 S2 S3 The next start finds the session; after log-out it does not",
      "RP-13 WSF-11 S3 Sign-out has an address, and a clean-up request changes nothing by itself"),
    Feature(
      "S0/S1, S2", "the filter for expired tokens",
      "S0/S1 S2 A refused request is sent once more with its body, after one renewal",
      "Show 3: a thousand requests meet an expired token; one renewal, and all succeed",
      "Show 3: a thousand requests meet a renewal that fails; all fail once, with the cause"),
    Feature(
      "S0/S1", "X-ZUMO-AUTH is replaced, bypass is added, the request is sent again",
      "S3 A service gets its credential in its own scheme",
      "S0/S1 The second request has the service's extra query parameters"),
    Feature(
      "S0/S1", "shouldRetryAuth; custom accounts are never asked again but logged out",
      "S0/S1 A caller can disable the renewal after a 401",
      "S0/S1 An account with its own password is logged out, never prompted for again"),
    Feature(
      "S0/S1", "which provider was chosen is known when the person must sign in again",
      "S0/S1 A refresh that is refused leads to the sign-in of the session's provider"),
    Feature(
      "S2", "Authorization: Token token=\"…\" by default",
      "S3 A service gets its credential in its own scheme"),
  ]

  /// Features of Access Control Service.
  static let accessControl: [Feature] = [
    Feature(
      "S3", "namespace and realm", "S3 A namespace and a realm give the service's addresses"),
    Feature(
      "S3", "identity providers Facebook, Live, Google, Yahoo, ADFS",
      "S3 The list of providers is requested with every parameter",
      "S3 Facebook, Live, Google, Yahoo and ADFS are read from JSON and from a script",
      "S3 Providers with e-mail domains are no buttons; the last choice comes first",
      "S3 An address is matched by the part after its last @, in any case",
      "S3 The choice is remembered for the next start, for each realm"),
    Feature(
      "S3", "Facebook's application id and permissions",
      "S3 The application's id and permissions at Facebook are in its sign-in address"),
    Feature(
      "S3", "relying party: realm, return URL, error URL",
      "S3 The sign-in address has every parameter, encoded once",
      "RP-8 S3 What the error URL gets is typed; the person's cancelling is an outcome"),
    Feature(
      "S3", "token format SWT, and the other three",
      "S3 The posted answer is verified in all four formats",
      "S3 The native flow accepts all four token formats",
      "S3 The OAuth answer's token is verified in all four formats"),
    Feature(
      "S3", "lifetime of 600 seconds, signing key or certificate of the namespace",
      "S3 The posted answer is verified in all four formats",
      "S3 The lifetime of a WRAP answer is optional, may be misspelled, and never lengthens a token"
    ),
    Feature(
      "S3", "rule groups: what the client sees of them",
      "S3 The service's errors are typed by their ACS code, else by their status"),
    Feature(
      "S3", "the hosted page, and ACS50011 on it",
      "S3 A namespace and a realm give the service's addresses",
      "S3 The service's errors are typed by their ACS code, else by their status"),
    Feature(
      "S3", "the native sign-in, with a picker that can be closed, and the shared token",
      "S3 The token of the native flow is verified, and its claims keep plus signs and umlauts",
      "S3 The message of the bridge script is decoded as it was encoded",
      "S3 The whole sign-in ends once: signed in, cancelled in the picker or the browser, or an error",
      "S3 A single provider needs no choice",
      "S0/S1 S2 S3 The next start finds the session; after log-out it does not"),
    Feature(
      "S3", "claims by prefix, as the toolkit's two branches showed them",
      "S3 Claims have their full names, or those of the former toolkit's two branches"
    ),
    Feature(
      "S3", "Facebook's access token in a claim",
      "S3 Facebook's token is read from its claim, with provider and expiry, and not displayed"),
    Feature(
      "S3", "service identities: WRAP and OAuth 2 draft 13",
      "S3 WRAP sends its three profiles as a form and decodes the answer exactly once",
      "S3 OAuth 2 draft 13 sends each grant as a form to its endpoint",
      "S3 Sessions are renewed by refresh token; a refusal ends them, a failure does not",
      "S3 Busy and failing responses are retried after 1, 2, 4 and 8 seconds, rejections never"),
    Feature(
      "S3", "a program without pages signs in through the browser",
      "S3 A terminal program signs in by the passive flow, and its token is verified"),
  ]
}
