import Foundation
public import HTTPExchange
import SecurityKeys
public import SimulatedService
import Synchronization
public import TokenBasics

/// A Mobile Services app, or the same app on App Service.
public final class MobileServicesServer: Simulator {
  public enum Dialect: Sendable {
    case mobileServices(applicationKey: String)
    case appService
  }

  struct Ticket {
    let user: String
    let expires: Instant
    let refreshable: Bool
  }

  struct State {
    var tickets: [String: Ticket] = [:]
    var accounts: [String: String] = [:]
    var pending: [String: String] = [:]
    var number = 0
    var items: [String] = []
    var refreshes = 0
    var logouts = 0
  }

  let base: HTTPURL
  let dialect: Dialect
  let time: any TimeSource
  /// The lifetime of a token in seconds.
  let lifetime: Int64
  /// A valid token of Facebook.
  let providerToken: String
  let state = Mutex(State())

  public init(
    base: HTTPURL, dialect: Dialect, time: any TimeSource, providerToken: String,
    lifetime: Int64 = 3600
  ) {
    self.base = base
    self.dialect = dialect
    self.time = time
    self.providerToken = providerToken
    self.lifetime = lifetime
  }

  public var refreshes: Int { state.withLock { $0.refreshes } }
  public var logouts: Int { state.withLock { $0.logouts } }
  /// The inserted rows of the table.
  public var items: [String] { state.withLock { $0.items } }
  /// Every issued token.
  public var tokens: [String] { state.withLock { Array($0.tickets.keys) } }

  /// Invalidates every token now.
  public func expireTokens() {
    let now = time.now
    state.withLock { state in
      state.tickets = state.tickets.mapValues {
        Ticket(user: $0.user, expires: now, refreshable: $0.refreshable)
      }
    }
  }

  var isAppService: Bool { if case .appService = dialect { true } else { false } }

  public func answer(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    var path = request.path
    let isBrowser = request.method == "GET" && path.hasSuffix("/login/facebook")
    if !isBrowser { try checkFields(request) }
    if path.hasPrefix("/.auth/") {
      guard isAppService else { throw Refusal(404, "not in version 1") }
      path = String(path.dropFirst(6))
    } else if path.hasPrefix("/login"), isAppService {
      throw Refusal(404, "moved below /.auth")
    }
    // Paths below that folder exist only there.
    let isSignIn = request.path.hasPrefix("/.auth/") || !isAppService && path.hasPrefix("/login")
    guard isSignIn || path.hasPrefix("/tables/") else { throw Refusal(404, "no such endpoint") }
    guard !isSignIn || !path.hasPrefix("/tables/") else { throw Refusal(404, "no such endpoint") }
    switch (request.method, path) {
    case ("GET", "/login/facebook"): return try browserLogin(request)
    case ("GET", "/login/facebook/token"): return try codeLogin(request)
    case ("POST", "/login/facebook"): return try tokenLogin(request)
    case ("GET", "/me"): return try identities(request)
    case ("GET", "/refresh"): return try refresh(request)
    case ("GET", "/logout"): return try logout(request)
    case ("POST", "/tables/Accounts"): return try account(request)
    case ("GET", "/tables/talks"), ("POST", "/tables/talks"): return try table(request)
    default: throw Refusal(404, "no such endpoint")
    }
  }

  /// The required fields of every request of an application.
  private func checkFields(_ request: ServerRequest) throws(Refusal) {
    switch dialect {
    case .mobileServices(let key):
      guard request["X-ZUMO-APPLICATION"] == key else {
        throw Refusal(401, "X-ZUMO-APPLICATION is wanted")
      }
      guard request["ZUMO-API-VERSION"] == nil else { throw Refusal(400, "no version here") }
    case .appService:
      guard request["ZUMO-API-VERSION"] == "2.0.0" else {
        throw Refusal(400, "ZUMO-API-VERSION: 2.0.0 is wanted")
      }
      guard request["X-ZUMO-APPLICATION"] == nil else { throw Refusal(400, "no key here") }
    }
    guard request["X-ZUMO-VERSION"]?.hasPrefix("ZUMO/") == true,
      request["User-Agent"] == request["X-ZUMO-VERSION"], request["Accept"] == "application/json"
    else { throw Refusal(400, "X-ZUMO-VERSION, User-Agent and Accept are wanted") }
  }

  // MARK: Sign-in

  private func browserLogin(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    let given = try request.parameters()
    let known: Set =
      isAppService
      ? [
        "session_mode", "post_login_redirect_url", "code_challenge", "code_challenge_method",
        "display", "scope",
      ] : ["display", "scope"]
    guard Set(given.keys).isSubset(of: known) else { throw Refusal(400, "unknown parameter") }
    if let challenge = given["code_challenge"] {
      guard Self.isProof(challenge), given["code_challenge_method"] == "S256",
        given["session_mode"] == "token",
        let target = given["post_login_redirect_url"], Self.callbacks.contains(target)
      else { throw Refusal(400, "not a login with a proof key") }
      let code = nextName("auth-code")
      state.withLock { $0.pending[code] = challenge }
      return .found(target + "?authorization_code=" + code)
    }
    guard !isAppService || given["session_mode"] == "token" else {
      throw Refusal(400, "session_mode=token is wanted")
    }
    let done = base.text + (isAppService ? ".auth/login/done" : "login/done")
    guard given["display"] != "denied" else {
      return .found(done + "#error=Error%3A%20Logging%20in%20with%20facebook%20is%20not%20enabled.")
    }
    let json = login("Facebook:100004711", refreshable: true)
    return .found(done + "#token=" + HTTPURL.percentEncoded(json))
  }

  private func codeLogin(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    guard request["X-ZUMO-AUTH"] == nil else { throw Refusal(400, "no credential yet") }
    let given = try request.parameters()
    guard Set(given.keys) == ["authorization_code", "code_verifier"],
      let code = given["authorization_code"], let verifier = given["code_verifier"],
      Self.isProof(verifier),
      let challenge = state.withLock({ $0.pending.removeValue(forKey: code) }),
      let digest = DigestAlgorithm.sha256.digest(of: Array(verifier.utf8)),
      // Padded base64, where RFC 7636 has base64url.
      Base64.encode(digest) == challenge
    else { throw Refusal(401, "a code or a verifier that is not good") }
    return .json(login("Facebook:100004711", refreshable: true))
  }

  private func tokenLogin(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    guard request["X-ZUMO-AUTH"] == nil else { throw Refusal(400, "no credential yet") }
    guard request.query == nil else { throw Refusal(400, "unknown parameter") }
    let json = try request.json()
    // Facebook's credential, not another provider's.
    guard json.members?.map(\.name) == ["access_token"] else {
      throw Refusal(400, "access_token alone is wanted")
    }
    guard json["access_token"]?.string == providerToken else {
      return Self.error(401, "Error: The Facebook access token is not valid.")
    }
    return .json(login("Facebook:100004711", refreshable: true))
  }

  private func account(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    let json = try request.json()
    let given = try request.parameters()
    guard Set(given.keys).isSubset(of: ["login", "bypass"]),
      Set(json.members?.map(\.name) ?? []).isSubset(of: ["username", "password", "email"])
    else { throw Refusal(400, "unknown parameter or member") }
    // A token is verified wherever one is sent, also where none is needed.
    guard request["X-ZUMO-AUTH"] == nil || user(request).map({ time.now < $0.expires }) == true
    else {
      return Self.error(401, "Error: The authentication token has an invalid signature.")
    }
    guard let name = json["username"]?.string, let password = json["password"]?.string else {
      return Self.error(400, "Invalid username")
    }
    return state.withLock { state in
      if given["login"] != nil {
        guard state.accounts[name] == password else {
          return Self.error(401, "Incorrect username or password")
        }
      } else {
        guard password.count >= 8 else {
          return Self.error(400, "Invalid password (at least 8 chars required)")
        }
        guard state.accounts[name] == nil else {
          return Self.error(400, "Username already exists")
        }
        state.accounts[name] = password
      }
      let token = ticket("Custom:42", false, &state)
      return given["login"] != nil
        ? .json(#"{"userId":"Custom:42","token":"\#(token)"}"#)
        : .json(
          #"{"id":42,"username":"\#(name)","userId":"Custom:42","token":"\#(token)"}"#, status: 201)
    }
  }

  /// The addresses outside of the web to which browsers may be sent: those of an app and of the command.
  private static let callbacks = ["talks", "claims-client"].map { $0 + "://easyauth.callback" }

  /// Whether it is 32 octets in padded base64, this service's form of RFC 7636's base64url.
  private static func isProof(_ text: String) -> Bool {
    (try? Base64.decode(Array(text.utf8)))?.count == 32 && text.utf8.count == 44
  }

  // MARK: Signed in

  private func user(_ request: ServerRequest) -> Ticket? {
    guard let token = request["X-ZUMO-AUTH"] else { return nil }
    return state.withLock { $0.tickets[token] }
  }

  private func table(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    guard let user = user(request) else {
      return Self.error(401, "Error: The authentication token has an invalid signature.")
    }
    guard time.now < user.expires else {
      return Self.error(401, "Error: The authentication token has expired.")
    }
    guard request.method == "POST" else { return .json("[]") }
    guard let title = try request.json()["title"]?.string else {
      return Self.error(400, "title is required")
    }
    state.withLock { $0.items.append(title) }
    return .json(#"{"id":"1","title":"\#(title)"}"#, status: 201)
  }

  private func identities(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    guard let user = user(request), time.now < user.expires else { return .answer(401) }
    return .json(
      #"[{"provider_name":"facebook","user_id":"mia@example.org","user_claims":[{"typ":"http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier","val":"100004711"}],"access_token":"\#(providerToken)","expires_on":"2031-01-01T00:00:00.0000000Z"}]"#
    )
  }

  private func refresh(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    guard let user = user(request) else { return .answer(401) }
    guard user.refreshable else { return Self.error(400, "No refresh token") }
    guard time.now < user.expires.advanced(bySeconds: 72 * 3600) else { return .answer(403) }
    state.withLock { $0.refreshes += 1 }
    return .json(login(user.user, refreshable: true))
  }

  private func logout(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    if let token = request["X-ZUMO-AUTH"] {
      state.withLock { state in
        state.tickets[token] = nil
        state.logouts += 1
      }
    }
    return .found(base.text + ".auth/logout/complete")
  }

  // MARK: Tickets

  private func login(_ user: String, refreshable: Bool) -> String {
    let token = state.withLock { ticket(user, refreshable, &$0) }
    return #"{"user":{"userId":"\#(user)"},"authenticationToken":"\#(token)"}"#
  }

  private func ticket(_ user: String, _ refreshable: Bool, _ state: inout State) -> String {
    state.number += 1
    let token = "eyJ.zumo-secret-\(state.number).sig"
    state.tickets[token] = Ticket(
      user: user, expires: time.now.advanced(bySeconds: lifetime), refreshable: refreshable)
    return token
  }

  private func nextName(_ kind: String) -> String {
    state.withLock { state in
      state.number += 1
      return "\(kind)-secret-\(state.number)"
    }
  }

  private static func error(_ status: Int, _ text: String) -> HTTPResponse {
    .json(#"{"code":\#(status),"error":"\#(text)"}"#, status: status)
  }
}
