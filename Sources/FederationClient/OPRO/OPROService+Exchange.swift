import BrowserExchange
public import HTTPExchange
public import Instants
public import TokenErrors

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
