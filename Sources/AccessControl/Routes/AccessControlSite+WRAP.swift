import BrowserExchange
import Octets
import SignIn
import TokenService

extension AccessControlSite {
  /// The WRAP v0.9 endpoint: a Simple Web Token for a service identity.
  func wrap(_ request: SiteRequest) async -> HTTPResponse {
    var place = AccessControlCode.Place.request
    do throws(TokenError) {
      let form = try tokenForm(request)
      let party = try namespace.relyingParty(scope: form.require("wrap_scope"))
      let identity: ServiceIdentity
      if let format = form["wrap_assertion_format"] {
        let assertion = Array(try form.require("wrap_assertion").utf8)
        identity = try asserted(assertion, format, at: &place)
      } else {
        identity = try namespace.identity(
          form.require("wrap_name"), password: form.require("wrap_password"))
      }
      place = .request
      let token = try namespace.issue(for: identity, to: party, as: .swt, at: clock.now)
      note(party.realm, identity.name, token.format.name)
      // Encoded once more, so that the escapes of the token stay.
      let body =
        "wrap_access_token=" + FormEncoding.encode(String(decoding: token.octets, as: UTF8.self))
        + "&wrap_access_token_expires_in=\(party.lifetime - 1)"
      return responder.response(
        200, "application/x-www-form-urlencoded; charset=us-ascii", Array(body.utf8))
    } catch {
      let code = AccessControlCode(error, at: place)
      let body =
        "Error:Code:\(code.status):SubCode:T0:Detail:\(code): \(error.code.summary) "
        + "(\(error.code.rawValue)):TraceID:\(logged(error, code)):TimeStamp:\(timestamp)"
      return retrying(
        responder.response(code.status, "text/plain; charset=utf-8", Array(body.utf8)), error)
    }
  }

  /// The form of a token request.
  ///
  /// - Throws: `issuing.rate`, `issuing.method`, `issuing.missing-field`, and what the form throws.
  func tokenForm(_ request: SiteRequest) throws(TokenError) -> FormReader {
    try admit(request)
    guard FormReader.isForm(request.fields["Content-Type"]) else {
      throw TokenError(.issuingField, node: "Content-Type", expected: FormReader.mediaType)
    }
    return try FormReader(request.body)
  }

  /// Lets a token request of any endpoint in.
  ///
  /// - Throws: `issuing.rate`, `issuing.method`, `input.too-large`.
  func admit(_ request: SiteRequest) throws(TokenError) {
    try limit?.take(at: clock.now)
    guard request.method == "POST" else {
      throw TokenError(.issuingMethod, expected: "POST", found: TokenError.excerpt(request.method))
    }
    guard request.body.count <= Self.bodyLimit else {
      throw TokenError(.inputTooLarge, expected: "at most \(Self.bodyLimit) bytes")
    }
  }

  /// The service identity that an assertion is about.
  func asserted(
    _ assertion: [UInt8], _ format: String, at place: inout AccessControlCode.Place
  ) throws(TokenError) -> ServiceIdentity {
    switch format {
    case "SWT", "http://oauth.net/grant_type/swt/1.0/bearer":
      place = .assertion(.swt)
      return try namespace.identity(
        assertedBy: SimpleWebToken(parsing: assertion),
        addresses: [address("/WRAPv0.9"), address("/v2/OAuth2-13")], at: clock.now)
    case "SAML", "http://oauth.net/grant_type/saml/2.0/bearer":
      place = .assertion(.saml20)
      return try namespace.identity(assertedBy: SAMLToken(parsing: assertion), at: clock.now)
    case "urn:ietf:params:oauth:grant-type:jwt-bearer":
      place = .assertion(.jwt)
      return try namespace.identity(
        assertedBy: JSONWebToken(parsing: assertion), addresses: [address("/v2/OAuth2-13")],
        at: clock.now)
    default:
      throw TokenError(
        .issuingGrantType, expected: "SWT or SAML", found: TokenError.excerpt(format))
    }
  }

  /// Says when to come back, where that is the cause.
  func retrying(_ response: HTTPResponse, _ error: TokenError) -> HTTPResponse {
    guard error.code == .issuingRate else { return response }
    var response = response
    try? response.fields.append("Retry-After", "1")
    return response
  }
}
