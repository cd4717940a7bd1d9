public import BrowserExchange

/// What is exchanged for tokens. One kind per request: of several the server would silently choose one.
public enum OPROGrant: Sendable {
  /// A user name or an e-mail address, and the password. Resets the user's permissions to the server's
  /// defaults.
  case password(userName: String, Secret)
  /// The code of a sign-in in the browser.
  case code(Secret)
  /// A refresh token, valid once.
  case refreshToken(Secret)
  /// The fields of the application's own hook, such as a Facebook token.
  case custom([(name: String, value: Secret)])

  var fields: [(name: String, value: String)] {
    switch self {
    case .password(let name, let password):
      [(name.contains("@") ? "email" : "username", name), ("password", password.revealed)]
    case .code(let code): [("code", code.revealed)]
    case .refreshToken(let token): [("refresh_token", token.revealed)]
    case .custom(let fields):
      [("grant_type", "bearer")] + fields.map { ($0.name, $0.value.revealed) }
    }
  }
}
