import BrowserExchange
import Octets
import SignIn
import TokenService

extension AccessControlSite {
  /// The WRAP v0.9 endpoint: a Simple Web Token for a service identity.
  func wrap(_ request: WebRequest) async -> HTTPResponse {
    var place = ACSRefusal.Place.request
    do throws(TokenError) {
      let form = try tokenForm(request)
      let party = try namespace.relyingParty(scope: form.require("wrap_scope"))
      let identity: ServiceIdentity
      if let format = form["wrap_assertion_format"] {
        let assertion = Array(try form.require("wrap_assertion").utf8)
        identity = try await asserted(assertion, format, at: &place)
      } else {
        identity = try self.identity(
          form.require("wrap_name"), password: form.require("wrap_password"), request)
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
      let code = ACSRefusal(error, at: place)
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
  func tokenForm(_ request: WebRequest) throws(TokenError) -> FormReader {
    try admit(request)
    guard FormReader.isForm(request.fields["Content-Type"]) else {
      throw TokenError(.issuingField, node: "Content-Type", expected: FormReader.mediaType)
    }
    return try FormReader(request.body)
  }

  /// Lets a token request of any endpoint in.
  ///
  /// - Throws: `issuing.rate`, `issuing.method`, `input.too-large`.
  func admit(_ request: WebRequest) throws(TokenError) {
    try limit?.take()
    guard request.method == "POST" else {
      throw TokenError(.issuingMethod, expected: "POST", found: TokenError.excerpt(request.method))
    }
    guard request.body.count <= Self.bodyLimit else {
      throw TokenError(.inputTooLarge, expected: "at most \(Self.bodyLimit) bytes")
    }
  }

  /// The service identity of a name and password. Wrong ones cost time.
  ///
  /// - Throws: `issuing.credentials`, `issuing.rate`.
  func identity(
    _ name: String, password: String, _ request: WebRequest
  ) throws(TokenError) -> ServiceIdentity {
    let address = request.peer ?? ""
    try guesses.admit("identity:" + name, from: address)
    do throws(TokenError) {
      let identity = try namespace.identity(name, password: password)
      guesses.succeeded("identity:" + name, from: address)
      return identity
    } catch {
      guesses.failed("identity:" + name, from: address)
      throw error
    }
  }

  /// The service identity that an assertion is about. An assertion is good for once in each form that it may be sent in.
  func asserted(
    _ assertion: [UInt8], _ format: String, at place: inout ACSRefusal.Place
  ) async throws(TokenError) -> ServiceIdentity {
    let found: AssertedIdentity
    var form = format
    switch format {
    case "SWT", "http://oauth.net/grant_type/swt/1.0/bearer":
      place = .assertion(.swt)
      found = try namespace.identity(
        assertedBy: SimpleWebToken(parsing: assertion), addresses: endpoints, at: clock.now)
    case "SAML", "http://oauth.net/grant_type/saml/2.0/bearer",
      "urn:ietf:params:oauth:grant-type:saml2-bearer":
      place = .assertion(.saml20)
      var octets = assertion
      // RFC 7522, 2.1; the draft before it sent the XML as it was, too.
      if assertion.first != ASCII.lessThan, let decoded = try? Base64.decode(assertion, .url) {
        octets = decoded
        form += " base64url"
      }
      found = try namespace.identity(
        assertedBy: SAMLToken(parsing: octets), addresses: endpoints, at: clock.now)
    case "urn:ietf:params:oauth:grant-type:jwt-bearer":
      place = .assertion(.jwt)
      found = try namespace.identity(
        assertedBy: JSONWebToken(parsing: assertion), addresses: endpoints, at: clock.now)
    default:
      throw TokenError(
        .issuingGrantType, expected: Self.grantTypes, found: TokenError.excerpt(format))
    }
    let judged = place
    // A store that is away is no fault of the assertion.
    place = .request
    guard
      try await isFirstUse(
        "assertion:\(form):\(found.assertion)", .issued(found.issued), until: found.expires)
    else {
      place = judged
      throw TokenError(.replayUsed, node: "assertion", found: "one that was used")
    }
    return found.identity
  }

  /// What assertions may name as their audience and recipient beside the issuer.
  private var endpoints: [String] {
    ["/WRAPv0.9", "/v2/OAuth2-13", "/WRAPv0.9/", "/v2/OAuth2-13/"].map(address)
  }

  private static let grantTypes =
    "client_credentials, authorization_code, refresh_token, "
    + "urn:ietf:params:oauth:grant-type:saml2-bearer or jwt-bearer, "
    + "http://oauth.net/grant_type/saml/2.0/bearer or swt/1.0/bearer"

  /// Says when to come back, where that is the cause.
  func retrying(_ response: HTTPResponse, _ error: TokenError) -> HTTPResponse {
    guard error.code == .issuingRate else { return response }
    var response = response
    try? response.fields.append("Retry-After", "1")
    return response
  }
}
