import Foundation
import HTTPExchange
import SAML
import SignIn
import TestSupport

/// A service of SAML 2.0 that takes the first name that it reads for its person, signed or not, and any message for a request
/// for logout.
enum CredulousService {
  private static let people = Mutexed<[String: String]>([:])

  static func respond(to request: WebRequest) async -> HTTPResponse { answer(request) }

  /// - Parameters:
  ///   - service: Its own origin.
  ///   - issuer: The provider's.
  static func answer(
    _ request: WebRequest, at service: String = AttackFixture.service,
    trusting issuer: String = AttackFixture.issuer
  ) -> HTTPResponse {
    switch request.path {
    case "/login": return begin(issuer + "/sso", service)
    case "/login-at-second": return begin(issuer + "/second/sso", service)
    case "/slo": return end(request)
    case "/acs": return finish(request)
    default:
      guard let session = request.cookies["session"]?.revealed,
        let person = people.withLock({ $0[session] })
      else { return .of(401, "text/html", "<p>Signed out.</p>") }
      return .of(200, "text/html", "<p>You are \(person).</p>")
    }
  }

  private static func begin(_ address: String, _ service: String) -> HTTPResponse {
    let header = MessageHeader(
      id: "_" + UUID().uuidString, issuer: "urn:credulous",
      issuedAt: Instant(secondsSinceEpoch: 1_893_499_200), destination: nil)
    let request = OutgoingMessage.authnRequest(
      header, consumer: service + "/acs", binding: .post,
      options: AuthnRequestOptions())
    guard let octets = try? request.octets(signedWith: nil),
      let place = try? HTTPURL(address),
      let address = try? RedirectBinding.address(
        place, "SAMLRequest", octets, relayState: "state", key: nil)
    else { return .of(500) }
    return .redirect(address.text)
  }

  private static func end(_ request: WebRequest) -> HTTPResponse {
    if let session = request.cookies["session"]?.revealed {
      people.withLock { $0[session] = nil }
    }
    return .of(200, "text/html", "<p>Signed out.</p>")
  }

  private static func finish(_ request: WebRequest) -> HTTPResponse {
    guard let text = AttackFixture.message(in: request.body),
      let name = text.firstMatch(of: /NameID[^>]*>([^<]*)</)
    else { return .of(403) }
    let session = UUID().uuidString
    people.withLock { $0[session] = String(name.1) }
    return .redirect("/me", cookie: "session=\(session); Path=/; HttpOnly; SameSite=Lax")
  }
}
