public import HTTPExchange
public import Instants
import Octets
import TokenErrors

/// The requests after the checks are satisfied: for a code, then for a token.
struct TokenRequest: Sendable {
  let base: HTTPURL
  let application: MobileApplication
  let identity: MobileIdentity
  let scope: String

  /// Never opened; the code is read from the `Location` that points to it.
  static let redirect = "https://mfpredirecturi"

  func codeRequest() throws(TokenError) -> HTTPRequest {
    let url = try base.appending(["az", "v1", "authorization"]).adding([
      ("response_type", "code"), ("client_id", identity.clientID), ("scope", scope),
      ("redirect_uri", Self.redirect), ("isAjaxRequest", "true"),
    ])
    return HTTPRequest(.get, url, fields: try HTTPFields(MobileFields.list(application)))
  }

  /// The code, from a `Location` that is not followed or from JSON.
  /// - Throws: `client.authorization`, `client.unknown-client`; `transport.malformed-response`.
  static func code(_ answer: HTTPResponse) throws(TokenError) -> String {
    if let location = answer.fields["Location"], answer.status == 302 || answer.status == 222 {
      return try code(location: location)
    }
    guard answer.isSuccess else { throw MobileRefusal.read(answer, "authorization") }
    let json = try JSONAnswer.read(answer)
    if let error = json["error"]?.string { throw refused(error) }
    return try JSONAnswer.string("code", in: json)
  }

  func tokenRequest(code: String, at now: Instant) throws(TokenError) -> HTTPRequest {
    let url = try base.appending(["az", "v1", "token"])
    let assertion = try ClientAssertion(
      application: application, identity: identity, audience: url.text, id: code
    ).compact(at: now)
    return try .form(
      [
        ("client_id", identity.clientID), ("redirect_uri", Self.redirect), ("code", code),
        ("grant_type", "authorization_code"),
      ] + SignedAssertion.fields(assertion), to: url, fields: MobileFields.list(application))
  }

  /// - Throws: `client.authorization`, `client.unknown-client`; `transport.malformed-response`,
  ///   `input.json-*`.
  func token(_ answer: HTTPResponse, at now: Instant) throws(TokenError) -> MobileAccessToken {
    guard answer.status == 200 else { throw MobileRefusal.read(answer, "token") }
    let tokens = try BearerTokens(try JSONAnswer.read(answer))
    guard let lifetime = tokens.lifetime else {
      throw JSONAnswer.malformed("a lifetime in expires_in")
    }
    return MobileAccessToken(
      value: tokens.accessToken, scope: scope, expires: now.advanced(bySeconds: lifetime))
  }

  private static func code(location: String) throws(TokenError) -> String {
    let url = try HTTPURL(location)
    guard try url.origin == HTTPURL(redirect).origin, url.path == "/" else {
      throw JSONAnswer.malformed("a Location at \(redirect)")
    }
    switch CodeAnswer(try QueryParameters.read(url.query ?? "")).result {
    case .code(let code): return code.revealed
    case .error(let error): throw refused(error)
    case nil: throw JSONAnswer.malformed("a Location with a code or an error")
    }
  }

  private static func refused(_ error: String) -> TokenError {
    TokenError(.clientAuthorization, node: "authorization", found: TokenError.excerpt(error))
  }
}

/// An access token of Mobile Foundation. Opaque: the client does not read its content.
public struct MobileAccessToken: Sendable {
  /// The token itself, sent as a bearer token (RFC 6750).
  public let value: Secret
  /// The requested scope, its elements sorted and separated by spaces.
  public let scope: String
  /// The time at which it expires, by this machine's clock.
  public let expires: Instant
}

/// Scope elements, sorted: server and cache compare a scope regardless of the order of its elements.
enum MobileScope {
  /// The default scope, which every registered client has.
  static let registered = "RegisteredClient"

  static func normalized(_ scope: String?) -> String {
    let elements = Set((scope ?? "").split(separator: " ").map(String.init)).sorted()
    return elements.isEmpty ? registered : elements.joined(separator: " ")
  }
}
