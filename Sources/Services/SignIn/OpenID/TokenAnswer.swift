import HTTPExchange
import Octets
import TokenBasics

/// The answer of the token endpoint (RFC 6749, 5; OpenID Connect Core 1.0, 3.1.3.3), strictly read (RP-18).
struct TokenAnswer {
  /// An answer to a code has one; an answer to a refresh token may.
  let idToken: Secret?
  /// Azure AD B2C gives one only where a scope of an API is asked for.
  let accessToken: Secret?
  let refreshToken: Secret?
  /// Seconds for which the access token is valid.
  let lifetime: Int64?

  /// - Throws: `signin.refused` with the provider's error code; `transport.redirect`, `transport.status`,
  ///   `transport.malformed-response`; `input.json-duplicate-name`.
  ///
  /// - Parameter secrets: What the request had and no error shows.
  init(_ response: HTTPResponse, without secrets: [Secret] = []) throws(TokenError) {
    guard !response.isRedirect else {
      throw TokenError(.transportRedirect, node: Self.node, found: "status \(response.status)")
    }
    guard response.status == 200 else {
      throw Self.refusal(response, secrets)
        ?? TokenError(
          .transportStatus, node: Self.node, expected: "200", found: "\(response.status)")
    }
    let json = try JSONAnswer.read(response).withoutNulls
    guard json["error"] == nil else { throw Self.refused(json, secrets) }
    accessToken = try Self.secret("access_token", json)
    let type = try Self.secret("token_type", json)
    let isBearer = type?.revealed.utf8.span.equalsIgnoringCase("bearer")
    // It says what an access token is, and nothing of an ID token.
    guard isBearer ?? (accessToken == nil) else { throw Self.malformed("Bearer in token_type") }
    idToken = try Self.secret("id_token", json)
    refreshToken = try Self.secret("refresh_token", json)
    lifetime = try Self.lifetime(json)
  }

  /// The ID token that an answer to a code has (OpenID Connect Core 1.0, 3.1.3.3).
  /// - Throws: `transport.malformed-response`.
  func requireIDToken() throws(TokenError) -> Secret {
    guard let idToken else { throw Self.malformed("an id_token") }
    return idToken
  }

  /// The access token, where it is used.
  /// - Throws: `transport.malformed-response`.
  func requireAccessToken() throws(TokenError) -> Secret {
    guard let accessToken else {
      throw Self.malformed(
        "an access_token: add the client ID, or a scope of an API, to `scopes`")
    }
    return accessToken
  }

  private static let node = "token_endpoint"

  /// The error of a status that is not 200 (RFC 6749, 5.2), if the body has one.
  private static func refusal(_ response: HTTPResponse, _ secrets: [Secret]) -> TokenError? {
    guard (400..<500).contains(response.status), let json = try? JSONAnswer.read(response),
      json["error"]?.string != nil
    else { return nil }
    return refused(json, secrets)
  }

  private static func refused(_ json: JSONValue, _ secrets: [Secret]) -> TokenError {
    guard let name = json["error"]?.string else {
      return TokenError(.signInRefused, node: node, found: "an error")
    }
    return ProviderRefusal(name: name, words: json["error_description"]?.string)
      .error(at: node, without: secrets)
  }

  /// A string of visible ASCII (RFC 6749, appendix A), if the member is there.
  private static func secret(_ name: String, _ json: JSONValue) throws(TokenError) -> Secret? {
    guard let member = json[name] else { return nil }
    guard let text = member.string, !text.isEmpty,
      text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F })
    else { throw malformed("a string of visible ASCII in \(name)", found: member.kindName) }
    return Secret(text)
  }

  /// A number of 1 to 315360000, which Entra ID 1.0 writes as a string of digits: any other string, a negative or an
  /// enormous number is refused.
  private static func lifetime(_ json: JSONValue) throws(TokenError) -> Int64? {
    guard let member = json["expires_in"] else { return nil }
    let digits = member.string.flatMap { text in
      text.utf8.count <= 9 && text.utf8.allSatisfy(ASCII.isDigit) ? Int(text) : nil
    }
    guard let number = member.integer ?? digits, (1...315_360_000).contains(number) else {
      throw malformed("1 to 315360000 seconds in expires_in", found: member.kindName)
    }
    return Int64(number)
  }

  private static func malformed(_ expected: String, found: String? = nil) -> TokenError {
    JSONAnswer.malformed(expected, found: found).located(at: node)
  }
}
