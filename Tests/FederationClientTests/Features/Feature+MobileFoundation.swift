extension Feature {
  /// Features of Mobile Foundation in the former programs.
  static let mobileFoundation: [Feature] = [
    Feature(
      "S4", "submitChallengeAnswer, obtainAccessToken, handler and completion",
      "S4 A scope's token follows the answer to the challenge; the handler is called first"),
    Feature(
      "S4", "login, handleSuccess and the user",
      "S4 Login needs no challenge, returns the user and fetches no token"),
    Feature(
      "S4", "isChallenged",
      "S4 isChallenged distinguishes an answer from a login"),
    Feature(
      "S4", "wrong credentials, remaining attempts",
      "S4 Wrong credentials are challenged again, with the reason and the attempts left"),
    Feature(
      "S4", "token of a scope, held and expired",
      "S4 A cached token is reused; after it has expired there is no challenge while logged in"),
    Feature(
      "S4", "rememberMe",
      "S4 rememberMe is one of the credentials; after a restart there is no challenge"),
    Feature(
      "S4", "handleFailure",
      "S4 Without attempts left the handler receives the failure and the call throws it"),
    Feature(
      "S4", "cancel",
      "S4 Cancelling ends the request and all that wait for it, with session.cancelled"),
    Feature(
      "S4", "logout",
      "S4 Logout reaches the server and removes every token"),
    Feature(
      "S4", "protected resource, bounded resends",
      "S4 A resource gets a request without a token, then one with its scope, with the same body"),
  ]
}
