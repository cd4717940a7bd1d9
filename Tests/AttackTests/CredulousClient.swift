import Foundation
import HTTPExchange
import SignInAttack
import TestSupport
import TokenBasics

/// A client of OpenID Connect that believes what it reads: the token, the key that a token names, the key set, the discovery
/// document, and requests for logout.
final class CredulousClient: Sendable {
  private let provider: RogueProvider
  private let clock = AdvancingTime()
  /// People by session.
  private let people = Mutexed<[String: String]>([:])
  /// The providers of sign-ins that were begun, by state.
  private let begun = Mutexed<[String: ProviderParty]>([:])

  private let usesStateOnce: Bool

  /// - Parameter usesStateOnce: Whether it takes an answer to a sign-in that it began, and to each one alone.
  init(_ provider: RogueProvider, usesStateOnce: Bool = false) {
    self.provider = provider
    self.usesStateOnce = usesStateOnce
  }

  func respond(to request: WebRequest) -> HTTPResponse {
    switch request.path {
    case "/login": return begin(.first)
    case "/login-at-second": return begin(.second)
    case "/callback": return finish(request)
    case "/logout": return end(request)
    case "/frame": return endSession(request.cookies["session"]?.revealed)
    case "/reread":
      _ = ask("/.well-known/openid-configuration")
      _ = ask("/keys")
      return .of(200)
    default:
      guard let session = request.cookies["session"]?.revealed, let person = people.current[session]
      else { return .of(401, "text/html", "<p>Signed out.</p>") }
      return .of(200, "text/html", "<p>You are \(person).</p>")
    }
  }

  private func ask(_ path: String) -> HTTPResponse {
    provider.respond(to: .get(path), at: clock.now)
  }

  private func begin(_ party: ProviderParty) -> HTTPResponse {
    let state = UUID().uuidString
    begun.withLock { $0[state] = party }
    return .redirect(
      AttackFixture.issuer + party.prefix
        + "/sso?response_type=code&client_id=app&nonce=n&state=\(state)"
        + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A8080%2Fcallback")
  }

  private func finish(_ request: WebRequest) -> HTTPResponse {
    let query = (try? FormReader((request.query ?? "").utf8).fields) ?? []
    func value(_ name: String) -> String { query.first { $0.name == name }?.value ?? "" }
    let known = begun.withLock { begun in
      usesStateOnce ? begun.removeValue(forKey: value("state")) : begun[value("state")]
    }
    guard known != nil || !usesStateOnce else { return .of(403) }
    let party = known ?? .first
    let answer = provider.respond(
      to: WebRequest(
        method: "POST", path: party.prefix + "/token",
        contentType: "application/x-www-form-urlencoded", body: Array("code=\(value("code"))".utf8)),
      at: clock.now)
    let token = (try? JSONParser.parse(answer.body))?["id_token"]?.string ?? ""
    let header = Self.part(0, of: token)
    for name in ["jku", "x5u", "kid"] {
      guard let address = header?[name]?.string, address.hasPrefix(AttackFixture.issuer) else {
        continue
      }
      _ = ask(String(address.dropFirst(AttackFixture.issuer.count)))
    }
    if header?["kid"]?.string != "test-key" { _ = ask("/keys") }
    guard let person = Self.part(1, of: token)?["sub"]?.string else { return .of(403) }
    let session = UUID().uuidString
    people.withLock { $0[session] = person }
    return .redirect("/me", cookie: "session=\(session); Path=/; HttpOnly; SameSite=Lax")
  }

  /// A logout token of a person ends all sessions, whoever it names.
  private func end(_ request: WebRequest) -> HTTPResponse {
    people.withLock { $0 = [:] }
    return .of(200)
  }

  private func endSession(_ session: String?) -> HTTPResponse {
    if let session { people.withLock { $0[session] = nil } }
    return .of(200, "text/html", "<p>Signed out.</p>")
  }

  private static func part(_ number: Int, of token: String) -> JSONValue? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let octets = try? Base64.decode(Array(parts[number].utf8).span, .url)
    else {
      return nil
    }
    return try? JSONParser.parse(octets)
  }
}
