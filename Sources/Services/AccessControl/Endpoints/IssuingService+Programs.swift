import HTTPExchange
import Octets
import SignIn

extension IssuingService {
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
  ///
  /// - Parameter place: Becomes the assertion while that is judged, so that its faults have its numbers.
  func identity(
    assertedBy assertion: [UInt8], _ format: String, at place: inout ACSRefusal.Place
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
    let use = SingleUse.assertion(found, sentAs: form)
    do throws(TokenError) {
      try await grants.redeem(use)
    } catch {
      // A store that is away is no fault of the assertion.
      if error.code != use.repetition.code { place = .request }
      throw error
    }
    place = .request
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
}
