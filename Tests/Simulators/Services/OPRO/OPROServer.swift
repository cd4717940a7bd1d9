import Foundation
public import HTTPExchange
import Octets
public import SimulatedService
import Synchronization
public import TokenBasics

/// A Rails application with the oPRO engine, one registered client and one person.
public final class OPROServer: Simulator {
  struct State {
    var accessToken: String?
    var refreshToken: String?
    var expires: Instant?
    var code: String?
    var permissions: Set<String> = []
    var number = 0
    var exchanges = 0
    var isRateLimited = false
    var profile = ["email": "foo@example.com", "twitter": "foo"]
  }

  public static let clientID = "3234myClientId5678"
  public let clientSecret: String
  public let password: String
  let time: any TimeSource
  /// The lifetime of a token in seconds; nil for unlimited, which the engine writes as `false`.
  let lifetime: Int64?
  /// Whether the application protects itself against forged requests: a change without permission then gets 422, else it
  /// counts as unauthenticated.
  let checksForgery: Bool
  let state = Mutex(State())

  public init(
    clientSecret: String, password: String, time: any TimeSource, lifetime: Int64? = nil,
    checksForgery: Bool = true
  ) {
    self.checksForgery = checksForgery
    self.clientSecret = clientSecret
    self.password = password
    self.time = time
    self.lifetime = lifetime
  }

  public var exchanges: Int { state.withLock { $0.exchanges } }
  /// The valid tokens.
  public var tokens: [String] {
    state.withLock { [$0.accessToken, $0.refreshToken].compactMap(\.self) }
  }

  /// Invalidates the access token, but not the refresh token.
  public func expireToken() { state.withLock { $0.accessToken = nil } }

  /// A log-in on another device, which replaces all tokens.
  public func signInElsewhere() { state.withLock { Self.issue(&$0) } }

  /// The person grants reading alone from now on.
  public func forbidWriting() { state.withLock { _ = $0.permissions.remove("write") } }

  /// Rejects every request for data from now on.
  public func limitRate() { state.withLock { $0.isRateLimited = true } }

  /// The person consents, and this is the code.
  public func consent(to code: String) { state.withLock { $0.code = code } }

  /// One grant for each person and application: earlier tokens become invalid.
  private static func issue(_ state: inout State) {
    state.number += 1
    state.accessToken = "9693access\(state.number)a7ca570bbaf2a3d2b"
    state.refreshToken = "3a3crefresh\(state.number)b573de78e65af06c"
    state.code = nil
  }

  public func answer(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    switch (request.method, request.path) {
    case ("POST", "/oauth/token.json"): return try exchange(request)
    case ("GET", "/oauth/new"): return try consent(request)
    case ("GET", "/oauth_tests/show_me_the_money.json"): return test(request)
    case ("GET", "/users/me.json"), ("PUT", "/users/me.json"): return try profile(request)
    case ("GET", "/users/sign_in"): return .html("<form>Sign in</form>")
    default: throw Refusal(404, "no such endpoint")
    }
  }

  private func exchange(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    let form = try request.form()
    guard request.query == nil else { throw Refusal(400, "a secret in an address") }
    let known: Set = [
      "client_id", "client_secret", "grant_type", "username", "email", "password", "code",
      "refresh_token",
    ]
    guard Set(form.keys).isSubset(of: known) else { throw Refusal(400, "unknown field") }
    for (name, value) in form where value.isEmpty { throw Refusal(400, "an empty \(name)") }
    guard request["Authorization"] == nil else { throw Refusal(400, "no credential here") }
    return state.withLock { state in
      state.exchanges += 1
      let id = form["client_id"] ?? ""
      let secret = form["client_secret"] ?? ""
      var message = "Could not find a user that belongs to this application"
      let isClient = id == Self.clientID && secret == clientSecret
      if !isClient { message += " based on client_id=\(id) and client_secret=\(secret)" }
      let isGood: Bool
      // The order in which the engine chooses.
      if let code = form["code"] {
        message += " & has been granted a code=\(code)"
        isGood = code == state.code
      } else if let token = form["refresh_token"] {
        message += " & has a refresh_token=\(token)"
        isGood = token == state.refreshToken
      } else {
        message += " using username and password"
        isGood =
          (form["username"] ?? form["email"]) == "foo@example.com" && form["password"] == password
        if isGood { state.permissions = ["read", "write"] }
      }
      guard isClient, isGood else { return .json(#"{"error":"\#(message)"}"#, status: 401) }
      Self.issue(&state)
      let access = state.accessToken ?? ""
      let refresh = state.refreshToken ?? ""
      state.expires = lifetime.map { time.now.advanced(bySeconds: $0) }
      let expires = lifetime.map { "\($0)" } ?? "false"
      return .json(
        #"{"access_token":"\#(access)","token_type":"bearer","refresh_token":"\#(refresh)","expires_in":\#(expires)}"#
      )
    }
  }

  private func consent(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    // An array: the only name that may occur more than once.
    let array = "scope%5B%5D="
    let pairs = (request.query ?? "").split(separator: "&")
    let scopes = pairs.filter { $0.hasPrefix(array) }.map { String($0.dropFirst(array.count)) }
    let given = try ServerRequest.pairs(
      pairs.filter { !$0.hasPrefix(array) }.joined(separator: "&"))
    guard Set(scopes).isSubset(of: ["read", "write"]), Set(scopes).count == scopes.count else {
      throw Refusal(400, "an unknown scope")
    }
    guard given["client_id"] == Self.clientID, given["response_type"] == "code",
      let redirect = given["redirect_uri"], (try? HTTPURL(redirect)) != nil,
      let back = given["state"], !back.isEmpty,
      // It is written into an address unescaped.
      back.utf8.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || "-._~".utf8.contains($0) }),
      Set(given.keys) == ["client_id", "response_type", "redirect_uri", "state"]
    else { throw Refusal(400, "not a request for a code") }
    return state.withLock { state in
      state.number += 1
      let code = "code\(state.number)a7ca570bbaf2a3d2b"
      state.code = code
      state.permissions = Set(scopes).union(["read"])
      // The state is written unescaped.
      return .found("\(redirect)?code=\(code)&response_type=code&state=\(back)")
    }
  }

  private func isSignedIn(_ request: ServerRequest) -> Bool {
    state.withLock { state in
      guard let token = state.accessToken, state.expires.map({ time.now < $0 }) ?? true else {
        return false
      }
      return request["Authorization"] == "Token token=\"\(token)\""
    }
  }

  private func test(_ request: ServerRequest) -> HTTPResponse {
    if isSignedIn(request) {
      return .json(#"{"status":200,"message":"OAuth worked!","params":{},"user_id":1}"#)
    }
    let credential = request["Authorization"]
    let reason = credential == nil ? "- No OAuth token provided! " : ""
    let token = credential?.split(separator: "\"").dropFirst().first ?? ""
    return .json(
      #"{"status":"unauthorized","message":"OAuth did not work :(  \#(reason)- OAuth user not found!","params":{"access_token":"\#(token)"}}"#,
      status: 401)
  }

  private func profile(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    guard request.query == nil else { throw Refusal(400, "no parameter is known here") }
    if state.withLock({ $0.isRateLimited }) {
      return .json(#"{"errors":" - OAuth client has been rate limited"}"#, status: 401)
    }
    guard isSignedIn(request) else { return Self.unauthenticated(request) }
    if request.method == "PUT" {
      let json = try request.json()
      guard json.members?.map(\.name) == ["user"], let members = json["user"]?.members else {
        throw Refusal(400, "attributes below user are wanted")
      }
      let values = members.compactMap { name, value in value.string.map { (name, $0) } }
      let isAllowed = state.withLock { state in
        guard state.permissions.contains("write") else { return false }
        // Unknown attributes are dropped silently.
        for (name, value) in values where ["email", "twitter"].contains(name) {
          state.profile[name] = value
        }
        return true
      }
      guard isAllowed else {
        return checksForgery ? .answer(422) : Self.unauthenticated(request)
      }
    }
    let profile = state.withLock { $0.profile }
    return .json(
      #"{"id":1,"email":"\#(profile["email"] ?? "")","twitter":"\#(profile["twitter"] ?? "")","admin":false}"#
    )
  }

  private static func unauthenticated(_ request: ServerRequest) -> HTTPResponse {
    request["Accept"] == "application/json"
      ? .json(#"{"error":"You need to sign in or sign up before continuing."}"#, status: 401)
      : .found("/users/sign_in")
  }
}
