extension Feature {
  /// What the programs of the past had of Mobile Foundation.
  static let mobileFoundation: [Feature] = [
    Feature(
      "S4", "submitChallengeAnswer, obtainAccessToken, handler and completion",
      "S4 A scope's token comes after the challenge is answered; the handler hears it first"),
    Feature(
      "S4", "login, handleSuccess and the user",
      "S4 Login goes first, without a challenge, tells who the person is and fetches no token"),
    Feature(
      "S4", "isChallenged",
      "S4 isChallenged tells whether to answer or to log in"),
    Feature(
      "S4", "wrong credentials, remaining attempts",
      "S4 Wrong credentials are challenged again, with the reason and the attempts left"),
    Feature(
      "S4", "token of a scope, held and expired",
      "S4 A token that is held is given again; after it has expired nobody logged in is asked"),
    Feature(
      "S4", "rememberMe",
      "S4 rememberMe is one of the credentials; after a restart nobody is asked"),
    Feature(
      "S4", "handleFailure",
      "S4 Without attempts left the handler hears the failure and the call ends with it"),
    Feature(
      "S4", "cancel",
      "S4 To cancel ends the request and all that wait behind it, and is told as such"),
    Feature(
      "S4", "logout",
      "S4 Logout reaches the server and forgets every token"),
    Feature(
      "S4", "protected resource, bounded resends",
      "S4 A resource is asked without a token, then with the scope that it names, body and all"),
  ]
}
