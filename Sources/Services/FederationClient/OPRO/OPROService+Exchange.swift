public import HTTPExchange
public import TokenBasics

extension OPROService {
  /// Exchanges a grant for tokens (`POST /oauth/token.json`).
  ///
  /// The server's message repeats the client secret, the refresh token and the code; errors contain none of
  /// them.
  ///
  /// - Throws: `client.application`, `client.password`, `client.code`, `session.renewal-refused`
  ///   for a refresh token that is used up; `client.parameter` for an empty field; `transport.*`,
  ///   `input.json-*`.
  public func exchange(
    _ grant: OPROGrant, over transport: any HTTPTransport, now: Instant
  ) async throws(TokenError) -> OPROTokens {
    let fields = grant.fields
    // The server evaluates a code or a refresh token even if it is empty.
    for (name, value) in fields where value.isEmpty || name.isEmpty {
      throw TokenError(.clientParameter, node: TokenError.excerpt(name), expected: "a value")
    }
    let answer = try await transport.response(
      to: .form(
        fields + [("client_id", clientID), ("client_secret", clientSecret.revealed)],
        to: try root.appending(["oauth", "token.json"])))
    try answer.refuseRedirect(at: "/oauth/token.json")
    guard answer.status == 200 else { throw OPRORefusal.read(answer, grant) }
    let tokens = try BearerTokens(try JSONAnswer.read(answer), type: tokenType)
    return OPROTokens(
      accessToken: tokens.accessToken, refreshToken: tokens.refreshToken,
      expires: tokens.lifetime.map { now.advanced(bySeconds: $0) })
  }
}

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

/// The tokens of a user. Each exchange invalidates the previous ones.
public struct OPROTokens: Sendable {
  /// The token for requests, of the scheme ``CredentialScheme/token``.
  public let accessToken: Secret
  /// The token for ``OPROGrant/refreshToken(_:)``, if the server issues any.
  public let refreshToken: Secret?
  /// The time at which the access token expires; nil if it does not.
  public let expires: Instant?

  /// Tokens that were stored.
  public init(accessToken: Secret, refreshToken: Secret?, expires: Instant?) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.expires = expires
  }
}

/// Reads oPRO's error message. Only the presence of its parts is evaluated; their content is the secrets
/// that were sent.
enum OPRORefusal {
  static func read(_ answer: HTTPResponse, _ grant: OPROGrant) -> TokenError {
    guard answer.status == 401, let json = try? JSONAnswer.read(answer) else {
      return answer.unexpected(at: "/oauth/token.json")
    }
    if isRateLimit(json) { return TokenError(.clientRateLimited) }
    let message = json["error"]?.string ?? ""
    // The server checks the pair of id and secret first.
    if message.mentions(" based on client_id=") { return TokenError(.clientApplication) }
    return switch grant {
    case .refreshToken: TokenError(.sessionRenewalRefused, node: "/oauth/token.json")
    case .code: TokenError(.clientCode)
    case .password, .custom: TokenError(.clientPassword)
    }
  }

  /// Whether the body is `{"errors":"…"}` with the text of a rate limit.
  static func isRateLimit(_ json: JSONValue) -> Bool {
    json["errors"]?.string?.mentions("rate limited") ?? false
  }
}
