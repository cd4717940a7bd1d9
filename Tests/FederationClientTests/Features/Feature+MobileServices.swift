extension Feature {
  /// Features of Mobile Services and App Service in the former programs.
  static let mobileServices: [Feature] = [
    Feature(
      "S0/S1", "choose a provider",
      "S0 Every provider has its path, Microsoft's under its own name"),
    Feature(
      "S0/S1", "login controller: a user or an error",
      "S0 The end address contains the user's id and token; a plus sign is literal"),
    Feature(
      "S0/S1", "login controller: errors",
      "S0 The end address may contain an error instead, for the person"),
    Feature(
      "S0/S1", "record which provider was chosen",
      "S0 An expired token: one sign-in by the same provider, then the request again with bypass"),
    Feature(
      "S0/S1", "custom login",
      "S0 A custom log-in is an insert with the parameter login; the answer has userId and token"),
    Feature(
      "S0/S1", "register, show the server's message",
      "S0 The server's message is shown, in whichever of its forms it comes"),
    Feature(
      "S0/S1", "client-side field validation",
      "S0 Fields are checked before anything is sent, all at once"),
    Feature(
      "S0/S1", "user from id and token",
      "S0 The signed-in user's token is sent as X-ZUMO-AUTH, with the service's own fields"),
    Feature(
      "S0/S1", "save and load, skip login at start; log out",
      "S0 First launch, sign-in, restart without a sign-in, log-out, restart signed out"),
    Feature(
      "S0/S1", "log out of the service",
      "S0 Log-out at App Service has an address for the browser and a call for the server"),
    Feature(
      "S0/S1", "filter for expired tokens, new header, bypass, retry",
      "S0 An expired token: one sign-in by the same provider, then the request again with bypass"),
    Feature(
      "S0/S1", "retry once",
      "S0 A second 401 is final"),
    Feature(
      "S0/S1", "shouldRetryAuth",
      "S0 shouldRetryAuth: a filter that does not renew returns the 401"),
    Feature(
      "S0/S1", "custom never prompts, triggerLogout",
      "S0 A custom account is never prompted for again: the 401 logs it out"),
    Feature(
      "S0/S1", "version 1 tokens ended, version 2",
      "Mobile Services derive their signing key from the master key"),
    Feature(
      "S1 comments", "\"invalid signature\"",
      "S1 Messages about a token are recognised: expired, wrong signature, no expiration"
    ),
    Feature(
      "S0/S1 comments", "identity and profile",
      "S0 /.auth/me returns the person's identity at each provider, without revealing tokens"),
    Feature(
      "S0/S1 comments", "identity in version 1",
      "S0 A version 1 script returns identities keyed by provider"),
    Feature(
      "S0/S1 comments", "refresh without a popup",
      "S0 App Service refreshes without a prompt, once for all waiting requests"),
    Feature(
      "S0/S1 comments", "client flow",
      "S0 A provider's own token is exchanged with its library's fields"),
    Feature(
      "S0/S1", "move to Azure Mobile Apps",
      "S0 The proof key of App Service is padded base64 inside a query (TV-12)"),
  ]
}
