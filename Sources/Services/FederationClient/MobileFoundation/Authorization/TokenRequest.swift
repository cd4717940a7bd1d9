public import HTTPExchange
public import TokenBasics

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

/// The signed assertion that authenticates the client (RFC 7523, with times in milliseconds).
struct ClientAssertion {
  let application: MobileApplication
  let identity: MobileIdentity
  let audience: String
  /// Limits the assertion to one use (`jti`): the code that is sent with it.
  let id: String

  /// The compact serialization.
  /// - Parameter now: The server's time, as far as its clock is known.
  func compact(at now: Instant) throws(TokenError) -> String {
    let issued = now.millisecondsSinceEpoch
    var json = JSONWriter()
    json.object { json in
      json.member("iss", "\(application.id)$\(application.platform)$\(application.version)")
      json.member("sub", identity.clientID)
      json.member("aud", audience)
      json.name("iat")
      json.integer(issued)
      json.name("exp")
      json.integer(issued + 60_000)
      json.member("jti", id)
    }
    let signed = try identity.key.sign(json.bytes, keyID: identity.clientID)
    return signed.header + "." + signed.payload + "." + signed.signature
  }
}

extension Instant {
  /// The time of that many milliseconds since 1970, Mobile Foundation's unit; nil outside years 1970 to 9999.
  init?(milliseconds: Int) {
    guard milliseconds >= 0, milliseconds / 1000 <= 253_402_300_799 else { return nil }
    self.init(
      secondsSinceEpoch: Int64(milliseconds / 1000),
      nanoseconds: Int32(milliseconds % 1000) * 1_000_000)
  }

  var millisecondsSinceEpoch: Int { Int(seconds) * 1000 + Int(nanoseconds) / 1_000_000 }
}
