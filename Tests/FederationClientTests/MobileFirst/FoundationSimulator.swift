import ClientScript
import HTTPExchange
import Instants
import Octets
import SecurityKeys
import StrictJSON
import Synchronization
import TokenErrors

/// A strict Mobile Foundation runtime in memory: wrong order, wrong encoding and wrong signatures are
/// rejected. Its check `UserLogin` accepts any user whose password is the name; `PinCode` accepts 1234.
final class FoundationSimulator: Sendable {
  struct State {
    var clients: [String: PublicKey] = [:]
    var registrations = 0
    var loggedIn: Set<String> = []
    var remembered = false
    var attempts = 3
    var codes: [String: String] = [:]
    var tokens: [String: String] = [:]
    var tokenRequests = 0
    var preauthorizations = 0
    var conflicts = 0
    var assertions: [JSONValue] = []
    var logins: [String] = []
  }

  let state = Mutex(State())
  /// Milliseconds that this server's clock is ahead.
  let clockOffset: Int
  let time: StillTime

  init(time: StillTime = StillTime(), clockOffset: Int = 0) {
    self.time = time
    self.clockOffset = clockOffset
  }

  var server: ScriptedServer {
    ScriptedServer { [self] request, _ in answer(request) }
  }

  /// Removes all registered clients.
  func forgetClients() { state.withLock { $0.clients = [:] } }

  private func answer(_ request: HTTPRequest) -> HTTPResponse {
    let prefix = "/mfp/api/"
    guard request.url.path.hasPrefix(prefix), request.url.origin.host == "mf.example.org",
      request.fields["x-wl-app-version"] == "1.0.0" || request.url.path.contains("adapters")
    else { return .empty(404) }
    return state.withLock { state in
      switch (request.method, String(request.url.path.dropFirst(prefix.utf8.count))) {
      case (.post, "registration/v1/self"): register(request, &state)
      case (.post, "preauth/v1/preauthorize"): preauthorize(request, &state)
      case (.post, "preauth/v1/logout"): logout(request, &state)
      case (.get, "az/v1/authorization"): authorize(request, &state)
      case (.post, "az/v1/token"): token(request, &state)
      case (_, "adapters/talks/mine"): resource(request, &state, scope: "accessRestricted")
      case (_, "adapters/talks/busy"): busy(&state)
      default: .empty(404)
      }
    }
  }

  private static let unknownClient = HTTPResponse.json(
    #"{"errorCode":"INVALID_CLIENT_ID"}"#, status: 400)

  private func register(_ request: HTTPRequest, _ state: inout State) -> HTTPResponse {
    guard let data = try? JSONParser.parse(request.body)["signedRegistrationData"],
      let header = data["header"]?.string, let payload = data["payload"]?.string,
      let signature = data["signature"]?.string,
      let key = Self.key(inHeader: header),
      Self.isSigned(header, payload, signature, key), let body = Self.json(payload),
      body["application"]?["id"]?.string == "org.example.talks",
      body["application"]?["clientPlatform"]?.string == "ios",
      body["attributes"]?["sdk_protocol_version"]?.integer == 1,
      body["device"]?["id"]?.string == "dev-1"
    else { return .json(#"{"errorCode":"BAD_REGISTRATION"}"#, status: 400) }
    state.registrations += 1
    let id = "client-\(state.registrations)"
    state.clients[id] = key
    return .empty(
      201, [("Location", "https://mf.example.org/mfp/api/registration/v1/clients/\(id)")])
  }

  private func preauthorize(_ request: HTTPRequest, _ state: inout State) -> HTTPResponse {
    state.preauthorizations += 1
    guard let json = try? JSONParser.parse(request.body), let scope = json["scope"]?.string,
      let id = json["client_id"]?.string
    else { return .empty(400) }
    guard state.clients[id] != nil else { return Self.unknownClient }
    let checks = Self.checks(of: scope)
    let answers = json["challengeResponse"]
    if state.remembered { state.loggedIn.insert("UserLogin") }
    var challenges: [String] = []
    if checks.contains("UserLogin") || answers?["UserLogin"] != nil {
      if let login = answers?["UserLogin"] {
        let name = login["username"]?.string ?? ""
        state.logins.append(name)
        if !name.isEmpty, login["password"]?.string == name {
          state.loggedIn.insert("UserLogin")
          state.attempts = 3
          if login["rememberMe"]?.bool == true { state.remembered = true }
        } else {
          state.attempts -= 1
          guard state.attempts > 0 else {
            state.attempts = 3
            return .json(
              #"{"failures":{"UserLogin":{"failure":"Account blocked"}}}"#, status: 403)
          }
        }
      }
      if !state.loggedIn.contains("UserLogin") {
        let message = answers?["UserLogin"] == nil ? "null" : #""Wrong Credentials""#
        challenges.append(
          #""UserLogin":{"errorMsg":\#(message),"remainingAttempts":\#(state.attempts)}"#)
      }
    }
    if checks.contains("PinCode"), !state.loggedIn.contains("PinCode") {
      if answers?["PinCode"]?["pin"]?.string == "1234" {
        state.loggedIn.insert("PinCode")
      } else {
        challenges.append(#""PinCode":null"#)
      }
    }
    if checks.contains("Unheard") { challenges.append(#""Unheard":{}"#) }
    let successes = Self.successes(state, checks, now: now)
    guard challenges.isEmpty else {
      return .json(
        #"{"challenges":{\#(challenges.joined(separator: ","))},"successes":{\#(successes)}}"#,
        status: 401, [("WWW-Authenticate", "MFP-Challenge")])
    }
    return .json(#"{"successes":{\#(successes)}}"#)
  }

  private var now: Int {
    Int(time.now.seconds) * 1000 + clockOffset
  }

  private static func successes(_ state: State, _ checks: Set<String>, now: Int) -> String {
    var list = [#""clockSynchronization":{"serverTimeStamp":\#(now)}"#]
    if checks.contains("UserLogin"), state.loggedIn.contains("UserLogin") {
      list.append(
        #""UserLogin":{"user":{"id":"john","displayName":"John","authenticatedAt":1893456000123,"authenticatedBy":"UserLogin","attributes":{"team":"red"}}}"#
      )
    }
    if checks.contains("PinCode"), state.loggedIn.contains("PinCode") {
      list.append(#""PinCode":{}"#)
    }
    return list.joined(separator: ",")
  }

  private static func checks(of scope: String) -> Set<String> {
    Set(
      scope.split(separator: " ").flatMap { element in
        element == "accessRestricted" ? ["UserLogin"] : [String(element)]
      })
  }

  private func authorize(_ request: HTTPRequest, _ state: inout State) -> HTTPResponse {
    let parameters = request.query
    guard parameters["response_type"] == "code", let id = parameters["client_id"],
      let scope = parameters["scope"], let redirect = parameters["redirect_uri"]
    else { return .empty(400) }
    guard state.clients[id] != nil else { return Self.unknownClient }
    let missing = Self.checks(of: scope).subtracting(["RegisteredClient"]).subtracting(
      state.loggedIn)
    guard missing.isEmpty else {
      return .empty(302, [("Location", redirect + "?error=access_denied")])
    }
    let code = "code-\(state.codes.count + 1)"
    state.codes[code] = scope
    return .empty(302, [("Location", redirect + "?code=" + code)])
  }

  private func token(_ request: HTTPRequest, _ state: inout State) -> HTTPResponse {
    state.tokenRequests += 1
    let form = request.form
    guard form["grant_type"] == "authorization_code", let id = form["client_id"],
      let code = form["code"], form["redirect_uri"] == "https://mfpredirecturi",
      let key = state.clients[id], let assertion = verified(form, key),
      assertion["jti"]?.string == code, assertion["sub"]?.string == id,
      assertion["iss"]?.string == "org.example.talks$ios$1.0.0",
      assertion["aud"]?.string == "https://mf.example.org/mfp/api/az/v1/token",
      let scope = state.codes.removeValue(forKey: code)
    else { return .json(#"{"error":"invalid_client"}"#, status: 401) }
    state.assertions.append(assertion)
    let token = "token-\(state.tokenRequests)-secret"
    state.tokens[token] = scope
    return .json(
      #"{"access_token":"\#(token)","token_type":"Bearer","expires_in":3599,"scope":"\#(scope)"}"#)
  }

  private func logout(_ request: HTTPRequest, _ state: inout State) -> HTTPResponse {
    guard let check = request.form["security_check"],
      state.clients.values.contains(where: { verified(request.form, $0) != nil })
    else { return .empty(401) }
    state.loggedIn.remove(check)
    state.remembered = false
    state.tokens = [:]
    return .empty(200)
  }

  private func resource(
    _ request: HTTPRequest, _ state: inout State, scope: String
  ) -> HTTPResponse {
    guard let field = request.fields["Authorization"] else {
      return .empty(401, [("WWW-Authenticate", "Bearer")])
    }
    guard field.hasPrefix("Bearer "), let granted = state.tokens[String(field.dropFirst(7))] else {
      return .empty(401, [("WWW-Authenticate", #"Bearer error="invalid_token""#)])
    }
    guard granted.split(separator: " ").contains(Substring(scope)) else {
      return .empty(
        403,
        [
          (
            "WWW-Authenticate",
            #"Bearer error="insufficient_scope", scope="RegisteredClient \#(scope)""#
          )
        ])
    }
    return HTTPResponse(status: 200, body: Array("mine:".utf8) + request.body)
  }

  private func busy(_ state: inout State) -> HTTPResponse {
    state.conflicts += 1
    return .empty(409, [("MFP-Conflict", "1")])
  }

  // MARK: Signatures

  private func verified(_ form: [String: String], _ key: PublicKey) -> JSONValue? {
    guard
      form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      let parts = form["client_assertion"]?.split(separator: ".").map(String.init),
      parts.count == 3, Self.isSigned(parts[0], parts[1], parts[2], key),
      let header = Self.json(parts[0]), header["alg"]?.string == "RS256",
      header["jwk"]?["kid"]?.string != nil, let claims = Self.json(parts[1]),
      let issued = claims["iat"]?.integer, claims["exp"]?.integer == issued + 60_000,
      abs(issued - now) < 1000
    else { return nil }
    return claims
  }

  private static func json(_ encoded: String) -> JSONValue? {
    guard let bytes = try? Base64.decode(Array(encoded.utf8), .url) else { return nil }
    return try? JSONParser.parse(bytes)
  }

  private static func key(inHeader header: String) -> PublicKey? {
    guard let jwk = json(header)?["jwk"], jwk["kty"]?.string == "RSA",
      let n = jwk["n"]?.string, let e = jwk["e"]?.string,
      let modulus = try? Base64.decode(Array(n.utf8), .url),
      let exponent = try? Base64.decode(Array(e.utf8), .url)
    else { return nil }
    return try? PublicKey(rsaModulus: modulus, exponent: exponent)
  }

  private static func isSigned(
    _ header: String, _ payload: String, _ signature: String, _ key: PublicKey
  ) -> Bool {
    guard let octets = try? Base64.decode(Array(signature.utf8), .url),
      let digest = DigestAlgorithm.sha256.value(of: (header + "." + payload).utf8.span)
    else { return false }
    return key.isValid(octets.span, forDigest: digest, .rsaSHA256)
  }
}
