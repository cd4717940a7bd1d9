extension Feature {
  /// Features of oPRO in the former programs.
  static let opro: [Feature] = [
    Feature(
      "S2", "register the application: id and secret",
      "S2 Each part of the server's message is an error of its own, without the echoed secrets"),
    Feature(
      "S2", "trade name or e-mail and password",
      "S2 A name and a password are exchanged for tokens, in a form"),
    Feature(
      "S2", "the token answer",
      "S2 expires_in is false, null, missing, a number or a number as text, and nothing else"),
    Feature(
      "S2", "store, restore, isAuthenticated",
      "S2 First launch, log-in, restart signed in, log-out, restart signed out"),
    Feature(
      "S2", "`Authorization: Token token=\"…\"`, GET /users/me",
      "S2 The token travels as Token token=\"…\"; the profile is returned"),
    Feature(
      "S2", "PUT /users/me, nested",
      "S2 A change is nested under user, and attributes that the server drops are listed"),
    Feature(
      "S2", "write permission",
      "S2 Without the permission to write a change ends after one renewal"),
    Feature(
      "S2", "\"does not refresh automatically\"",
      "S2 A hundred requests with an expired token: one refresh, stored before it is used"),
    Feature(
      "S2", "rotation",
      "S2 Another device's login invalidates all tokens: the session ends, or the person signs in"
    ),
    Feature(
      "S2", "tester",
      "S2 The diagnosis has the reasons, and nothing of the repeated secrets"),
    Feature(
      "S2", "troubleshooting",
      "S2 The login page is a 401; a redirect elsewhere is not; a rate limit renews nothing"),
    Feature(
      "S2", "log in with Facebook or Twitter",
      "S2 A user of Facebook signs in by the application's own hook"),
    Feature(
      "S2", "consent page",
      "S2 The consent page gets a state that needs no escaping, and the code returns with it"),
  ]
}
