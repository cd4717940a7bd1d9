import ClientScript
import FederationClient
import HTTPExchange
import Synchronization
import TestSupport
import TokenBasics

enum MobileFixtures {
  static let key = "application-key-secret"
  static let address = "https://talks.example.net"

  static func v1() throws -> MobileService {
    try MobileService(
      at: HTTPURL(address), .mobileServices(applicationKey: Secret(key)),
      installationID: "11111111-2222-3333-4444-555555555555")
  }

  static func appService() throws -> MobileService {
    try MobileService(at: HTTPURL(address), .appService(version: "2.0.0"))
  }

  static func request(_ path: String = "/tables/TodoItem?$top=1") throws -> HTTPRequest {
    HTTPRequest(
      .post, try HTTPURL(address).at(path: path.replacing("$", with: "%24")),
      body: Array(#"{"text":"hi"}"#.utf8))
  }

  /// The 401 filter around the service's own header fields, as in an application.
  static func filter(
    _ service: MobileService, _ server: ScriptedServer, _ session: Session, _ renewal: Renewal,
    store: MemoryCredentialStore = MemoryCredentialStore(), time: StillTime = StillTime()
  ) async throws -> AuthorizedTransport {
    let current = CurrentSession(
      account: "talks", store: store, renewal: renewal, time: time, observer: SecrecyObserver())
    Secrecy.see(session)
    Secrecy.see(current)
    Secrecy.hide(session.credential.secret.revealed)
    try await current.signIn(session)
    return AuthorizedTransport(
      MobileServiceTransport(server, service: service), session: current, origin: service.origin)
  }

  /// A service that accepts one token.
  static func server(taking good: String) -> ScriptedServer {
    ScriptedServer { request, _ in
      request.fields["X-ZUMO-AUTH"] == good
        ? .json(request.bodyText)
        : .json(#"{"code":401,"error":"The authentication token has expired."}"#, status: 401)
    }
  }
}
