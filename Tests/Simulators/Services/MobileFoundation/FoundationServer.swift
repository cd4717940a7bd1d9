import Foundation
public import HTTPExchange
import SecurityKeys
public import SimulatedService
import Synchronization
public import TokenBasics

/// A Mobile Foundation runtime. Its check `UserLogin` accepts any user whose password is the name, in three
/// attempts, and remembers on demand; `accessRestricted` is mapped to it. `PinCode` accepts 1234; any other check
/// accepts nothing.
public final class FoundationServer: Simulator {
  struct State {
    var clients: [String: PublicKey] = [:]
    var registrations = 0
    /// The satisfied checks of each client.
    var satisfied: [String: Set<String>] = [:]
    var remembered: Set<String> = []
    var attempts = 3
    var codes: [String: (client: String, scope: String)] = [:]
    var tokens: [String: String] = [:]
    var number = 0
    var preauthorizations = 0
    var tokenRequests = 0
    var conflicts = 0
    var logins: [String] = []
  }

  let base: HTTPURL
  let time: any TimeSource
  /// Milliseconds that the server's clock is ahead.
  let clockOffset: Int64
  let state = Mutex(State())

  private let password: @Sendable (String) -> String

  /// - Parameter password: The password that belongs to a name: the name.
  public init(
    base: HTTPURL, time: any TimeSource, clockOffset: Int64 = 0,
    password: @escaping @Sendable (_ name: String) -> String = { $0 }
  ) {
    self.password = password
    self.base = base
    self.time = time
    self.clockOffset = clockOffset
  }

  public var registrations: Int { state.withLock { $0.registrations } }
  public var preauthorizations: Int { state.withLock { $0.preauthorizations } }
  public var tokenRequests: Int { state.withLock { $0.tokenRequests } }
  /// The requests for the resource that is always in conflict.
  public var conflicts: Int { state.withLock { $0.conflicts } }
  /// The names with which people tried to log in.
  public var logins: [String] { state.withLock { $0.logins } }
  /// Every issued token.
  public var tokens: [String] { state.withLock { Array($0.tokens.keys) } }

  private var milliseconds: Int64 {
    let now = time.now
    return now.seconds * 1000 + Int64(now.nanoseconds) / 1_000_000 + clockOffset
  }

  /// Removes all registered clients.
  public func forgetClients() { state.withLock { $0.clients = [:] } }

  /// Ends the checks' states; remembered users stay remembered.
  public func endSessions() {
    state.withLock { state in
      state.satisfied = [:]
      state.tokens = [:]
    }
  }

  /// Revokes every token; the checks stay satisfied.
  public func revokeTokens() { state.withLock { $0.tokens = [:] } }

  public func answer(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    let prefix = "/mfp/api/"
    guard request.path.hasPrefix(prefix) else { throw Refusal(404, "no such endpoint") }
    let path = String(request.path.dropFirst(prefix.utf8.count))
    if path == "adapters/talks/mine" { return resource(request) }
    if path == "adapters/talks/busy" {
      state.withLock { $0.conflicts += 1 }
      return .answer(409, [("MFP-Conflict", "1")])
    }
    guard request["x-wl-app-version"] == "1.0.0" else {
      throw Refusal(400, "x-wl-app-version is wanted")
    }
    switch (request.method, path) {
    case ("POST", "registration/v1/self"): return try register(request)
    case ("POST", "preauth/v1/preauthorize"): return try preauthorize(request)
    case ("POST", "preauth/v1/logout"): return try logout(request)
    case ("GET", "az/v1/authorization"): return try authorize(request)
    case ("POST", "az/v1/token"): return try token(request)
    default: throw Refusal(404, "no such endpoint")
    }
  }

  private static let unknownClient = HTTPResponse.json(
    #"{"errorCode":"INVALID_CLIENT_ID"}"#, status: 400)

  private func register(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    guard let data = try request.json()["signedRegistrationData"],
      let header = data["header"]?.string, let payload = data["payload"]?.string,
      let signature = data["signature"]?.string, let key = FoundationSignature.key(in: header),
      FoundationSignature.isValid(header, payload, signature, key),
      let body = FoundationSignature.json(payload),
      body["application"]?["id"]?.string == "org.example.talks",
      body["application"]?["version"]?.string == "1.0.0",
      body["application"]?["clientPlatform"]?.string == "linux",
      body["device"]?["platform"]?.string != nil,
      body["device"]?["id"]?.string != nil,
      body["attributes"]?["sdk_protocol_version"]?.integer == 1
    else { throw Refusal(400, "a registration that is not signed, or not complete") }
    return state.withLock { state in
      state.registrations += 1
      let id = "client-\(state.registrations)"
      state.clients[id] = key
      return .answer(
        201, [("Location", base.text + "mfp/api/registration/v1/clients/\(id)")])
    }
  }

  private func preauthorize(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    let json = try request.json()
    guard let scope = json["scope"]?.string, let id = json["client_id"]?.string else {
      throw Refusal(400, "scope and client_id are wanted")
    }
    let names = Set(json.members?.map(\.name) ?? [])
    guard names.isSubset(of: ["scope", "client_id", "challengeResponse"]), Self.isSorted(scope)
    else { throw Refusal(400, "an unknown member, or a scope that is not sorted") }
    return state.withLock { state in
      state.preauthorizations += 1
      guard state.clients[id] != nil else { return Self.unknownClient }
      let answers = json["challengeResponse"]
      var challenges: [String] = []
      for check in Self.checks(of: scope).sorted() {
        let answer = answers?[check]
        switch check {
        case "UserLogin":
          guard judge(answer, of: id, &state) else {
            return .json(
              #"{"failures":{"UserLogin":{"failure":"Account blocked"}}}"#, status: 403)
          }
        case "PinCode" where answer?["pin"]?.string == "1234":
          state.satisfied[id, default: []].insert(check)
        default: break
        }
        guard state.satisfied[id]?.contains(check) != true else { continue }
        challenges.append(Self.challenge(check, isAnswered: answer != nil, state.attempts))
      }
      let successes = successes(Self.checks(of: scope), of: id, state)
      guard challenges.isEmpty else {
        return .json(
          #"{"challenges":{\#(challenges.joined(separator: ","))},"successes":{\#(successes)}}"#,
          status: 401, [("WWW-Authenticate", "MFP-Challenge")])
      }
      return .json(#"{"successes":{\#(successes)}}"#)
    }
  }

  /// Judges the answer to a `UserLogin`, or its absence; false when no attempt is left.
  private func judge(_ answer: JSONValue?, of client: String, _ state: inout State) -> Bool {
    if state.remembered.contains(client) {
      state.satisfied[client, default: []].insert("UserLogin")
    }
    guard let answer else { return true }
    let name = answer["username"]?.string ?? ""
    state.logins.append(name)
    if !name.isEmpty, answer["password"]?.string == password(name) {
      state.satisfied[client, default: []].insert("UserLogin")
      state.attempts = 3
      if answer["rememberMe"]?.bool == true { state.remembered.insert(client) }
      return true
    }
    state.attempts -= 1
    guard state.attempts == 0 else { return true }
    state.attempts = 3
    return false
  }

  private static func challenge(_ check: String, isAnswered: Bool, _ attempts: Int) -> String {
    switch check {
    case "UserLogin":
      let message = isAnswered ? #""Wrong Credentials""# : "null"
      return #""UserLogin":{"errorMsg":\#(message),"remainingAttempts":\#(attempts)}"#
    case "PinCode": return #""PinCode":null"#
    default: return "\"\(check)\":{}"
    }
  }

  private func successes(_ checks: Set<String>, of client: String, _ state: State) -> String {
    var list = [#""clockSynchronization":{"serverTimeStamp":\#(milliseconds)}"#]
    for check in checks.sorted() where state.satisfied[client]?.contains(check) == true {
      list.append(
        check == "UserLogin"
          ? #""UserLogin":{"user":{"id":"john","displayName":"John","authenticatedAt":\#(milliseconds),"authenticatedBy":"UserLogin","attributes":{"team":"red"}}}"#
          : "\"\(check)\":{}")
    }
    return list.joined(separator: ",")
  }

  private func authorize(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    let given = try request.parameters()
    let known: Set = ["response_type", "client_id", "scope", "redirect_uri", "isAjaxRequest"]
    guard Set(given.keys) == known, given["response_type"] == "code", let id = given["client_id"],
      let scope = given["scope"], given["redirect_uri"] == "https://mfpredirecturi",
      given["isAjaxRequest"] == "true"
    else { throw Refusal(400, "not a request for a code") }
    return state.withLock { state in
      guard state.clients[id] != nil else { return Self.unknownClient }
      guard Self.checks(of: scope).isSubset(of: state.satisfied[id] ?? []) else {
        return .found("https://mfpredirecturi?error=access_denied")
      }
      state.number += 1
      let code = "code-\(state.number)-secret"
      state.codes[code] = (id, scope)
      return .found("https://mfpredirecturi?code=" + code)
    }
  }

  private func token(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    let form = try request.form()
    let now = milliseconds
    let endpoint = base.text + "mfp/api/az/v1/token"
    let fields: Set = [
      "client_id", "redirect_uri", "code", "grant_type", "client_assertion_type",
      "client_assertion",
    ]
    guard Set(form.keys) == fields, request["Authorization"] == nil else {
      throw Refusal(400, "a field is missing, or unknown")
    }
    let answer: HTTPResponse? = state.withLock { state in
      state.tokenRequests += 1
      guard form["grant_type"] == "authorization_code", let id = form["client_id"],
        let code = form["code"], form["redirect_uri"] == "https://mfpredirecturi",
        let key = state.clients[id],
        let assertion = FoundationSignature.assertion(
          form, key, client: id, audience: endpoint, now: now),
        assertion["jti"]?.string == code,
        let grant = state.codes.removeValue(forKey: code), grant.client == id
      else { return nil }
      let token = "mfp-token-\(state.tokenRequests)-secret"
      state.tokens[token] = grant.scope
      return .json(
        #"{"access_token":"\#(token)","token_type":"Bearer","expires_in":3599,"scope":"\#(grant.scope)"}"#
      )
    }
    guard let answer else { throw Refusal(401, "an assertion or a code that is not good") }
    return answer
  }

  private func logout(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    let form = try request.form()
    let now = milliseconds
    let endpoint = base.text + "mfp/api/preauth/v1/logout"
    let fields: Set = ["client_assertion_type", "client_assertion", "security_check"]
    let isDone = state.withLock { state in
      guard form["security_check"] == "UserLogin", Set(form.keys) == fields,
        let client = state.clients.first(where: {
          FoundationSignature.assertion(
            form, $0.value, client: $0.key, audience: endpoint, now: now) != nil
        })?.key
      else { return false }
      state.satisfied[client]?.remove("UserLogin")
      state.remembered.remove(client)
      state.tokens = [:]
      return true
    }
    guard isDone else { throw Refusal(401, "an assertion that is not good") }
    return .answer(200)
  }

  private func resource(_ request: ServerRequest) -> HTTPResponse {
    state.withLock { state in
      guard let field = request["Authorization"] else {
        return .answer(401, [("WWW-Authenticate", "Bearer")])
      }
      guard field.hasPrefix("Bearer "), let scope = state.tokens[String(field.dropFirst(7))] else {
        return .answer(401, [("WWW-Authenticate", #"Bearer error="invalid_token""#)])
      }
      guard scope.split(separator: " ").contains("accessRestricted") else {
        return .answer(
          403,
          [
            (
              "WWW-Authenticate",
              #"Bearer error="insufficient_scope", scope="RegisteredClient accessRestricted""#
            )
          ])
      }
      return .answer(
        200, [("Content-Type", "text/plain")],
        "mine: " + String(decoding: request.body, as: UTF8.self))
    }
  }

  /// The scope as the SDKs send it: each element once, in alphabetical order.
  private static func isSorted(_ scope: String) -> Bool {
    let elements = scope.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    return elements == Set(elements).sorted()
  }

  /// The checks of a scope. Every registered client has the default scope.
  private static func checks(of scope: String) -> Set<String> {
    Set(
      scope.split(separator: " ").map { $0 == "accessRestricted" ? "UserLogin" : String($0) }
    ).subtracting(["RegisteredClient"])
  }
}
