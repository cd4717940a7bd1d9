import BrowserExchange
public import HTTPExchange
public import Instants
import StrictJSON
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
      to: HTTPRequest(
        .post, try root.appending(["oauth", "token.json"]),
        fields: try HTTPFields([
          ("Content-Type", FormBody.mediaType), ("Accept", "application/json"),
        ]),
        body: FormBody.encode(
          fields + [("client_id", clientID), ("client_secret", clientSecret.revealed)])))
    if answer.isRedirect { throw TokenError(.transportRedirect, node: "/oauth/token.json") }
    guard answer.status == 200 else { throw OPRORefusal.read(answer, grant) }
    return try tokens(try JSONAnswer.read(answer), now)
  }

  private func tokens(_ json: JSONValue, _ now: Instant) throws(TokenError) -> OPROTokens {
    let type = try JSONAnswer.string("token_type", in: json)
    guard type.utf8.map({ $0 | 0x20 }) == tokenType.utf8.map({ $0 | 0x20 }) else {
      throw JSONAnswer.malformed("token_type \(tokenType)", found: TokenError.excerpt(type))
    }
    // Tokens that do not expire have `false` or null here.
    let member = json["expires_in"].flatMap { $0.bool == false ? nil : $0 }
    let lifetime = try JSONAnswer.lifetime(member)
    let refresh = json["refresh_token"].flatMap { value -> JSONValue? in
      if case .null = value.kind { nil } else { value }
    }
    return OPROTokens(
      accessToken: Secret(try JSONAnswer.string("access_token", in: json)),
      refreshToken: refresh == nil
        ? nil : Secret(try JSONAnswer.string("refresh_token", in: json)),
      expires: lifetime.map { now.advanced(bySeconds: $0) })
  }
}
