import BrowserExchange
import HTTPExchange
import Instants
import StrictJSON
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
    return HTTPRequest(.get, url, fields: try MobileFields.fields(application, nil))
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
    return HTTPRequest(
      .post, url, fields: try MobileFields.form(application),
      body: FormBody.encode([
        ("client_id", identity.clientID), ("redirect_uri", Self.redirect), ("code", code),
        ("grant_type", "authorization_code"),
        ("client_assertion_type", ClientAssertion.type), ("client_assertion", assertion),
      ]))
  }

  /// - Throws: `client.authorization`, `client.unknown-client`; `transport.malformed-response`,
  ///   `input.json-*`.
  func token(_ answer: HTTPResponse, at now: Instant) throws(TokenError) -> MobileAccessToken {
    guard answer.status == 200 else { throw MobileRefusal.read(answer, "token") }
    let json = try JSONAnswer.read(answer)
    let type = try JSONAnswer.string("token_type", in: json)
    guard type.utf8.map({ $0 | 0x20 }) == Array("bearer".utf8) else {
      throw JSONAnswer.malformed("token_type Bearer", found: TokenError.excerpt(type))
    }
    guard let lifetime = try JSONAnswer.lifetime(json["expires_in"]) else {
      throw JSONAnswer.malformed("a member expires_in")
    }
    return MobileAccessToken(
      value: Secret(try JSONAnswer.string("access_token", in: json)), scope: scope,
      expires: now.advanced(bySeconds: lifetime))
  }

  private static func code(location: String) throws(TokenError) -> String {
    let url = try HTTPURL(location)
    guard try url.origin == HTTPURL(redirect).origin, url.path == "/" else {
      throw JSONAnswer.malformed("a Location at \(redirect)")
    }
    let parameters = try QueryParameters.read(url.query ?? "")
    if let error = parameters["error"] { throw refused(error) }
    guard let code = parameters["code"], !code.isEmpty else {
      throw JSONAnswer.malformed("a Location with a code")
    }
    return code
  }

  private static func refused(_ error: String) -> TokenError {
    TokenError(.clientAuthorization, node: "authorization", found: TokenError.excerpt(error))
  }
}
