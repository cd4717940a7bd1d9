import HTTPExchange
import SecurityKeys
import SignIn
import TestSupport
import Testing

/// An OpenID provider in memory, written from the standards and stricter than they demand: it refuses what
/// a careless client sends (a code without a proof key, another redirect address, a second use).
final class ScriptedProvider: Sendable {
  /// How the registered client authenticates.
  enum Registration: Sendable {
    case basic(String)
    case post(String)
    case privateKey(PublicKey)
    case none
  }

  struct Grant: Sendable {
    var challenge: String
    var redirectURI: String
    var nonce: String
    var isUsed = false
  }

  struct State: Sendable {
    /// The one redirect address that the client has registered.
    var redirectURI = ScriptedProvider.redirectURI
    var registration = Registration.basic("s3cret:&+ ü")
    var signer: ProviderKey
    var keySet: [ProviderKey]
    /// The `kid` of tokens; nil for that of the signer.
    var namedKey: String?
    var type: String? = "JWT"
    /// The `alg` of ID tokens; nil for that of the signer.
    var algorithm: String?
    var mayReuseCodes = false
    var cacheControl: String?
    var discovery: [String: String]
    /// Changes the payload of an ID token.
    var payload: @Sendable (inout [String: String]) -> Void = { _ in }
    /// Changes the answer of the token endpoint.
    var answer: @Sendable (inout [String: String]) -> Void = { _ in }
    /// Replaces an answer, by path.
    var replaced: [String: HTTPResponse] = [:]
    var userInfo = ["sub": quoted("alice"), "email": quoted("alice@example.com")]
    var grants: [String: Grant] = [:]
    var assertions: Set<String> = []
    /// The number of refresh tokens that were used.
    var refreshes = 0
    /// What the client did wrong.
    var complaints: [String] = []
  }

  static let clientID = "client 1"
  static let redirectURI = "https://app.example/openid/callback"

  let issuer: String
  let state: Mutexed<State>
  let time: ManualTime

  init(issuer: String = "https://idp.example/tenant", time: ManualTime) throws {
    self.issuer = issuer
    self.time = time
    let first = try ProviderKey.first
    state = Mutexed(State(signer: first, keySet: [first], discovery: Self.discovery(issuer)))
  }

  static func discovery(_ issuer: String) -> [String: String] {
    [
      "issuer": quoted(issuer), "authorization_endpoint": quoted(issuer + "/authorize?area=1"),
      "token_endpoint": quoted(issuer + "/token"), "jwks_uri": quoted(issuer + "/keys"),
      "userinfo_endpoint": quoted(issuer + "/userinfo"),
      "end_session_endpoint": quoted(issuer + "/logout"), "response_types_supported": "[\"code\"]",
      "subject_types_supported": "[\"public\"]",
      "id_token_signing_alg_values_supported": "[\"RS256\"]",
      "authorization_response_iss_parameter_supported": "true",
    ]
  }

  func change(_ body: @Sendable (inout State) -> Void) { state.withLock(body) }

  var complaints: [String] { state.current.complaints }

  /// The authorization endpoint: the person signs in, and the browser brings this back.
  func authorize(_ action: BrowserAction, code: String = "code-1") throws -> WebRequest {
    let request = HTTPRequest(.get, action.address)
    #expect(action.address.text.hasPrefix(issuer + "/authorize?area=1&"))
    #expect(request.parameter("response_type") == "code")
    #expect(request.parameter("client_id") == Self.clientID)
    #expect(request.parameter("redirect_uri") == state.current.redirectURI)
    #expect(request.parameter("scope")?.split(separator: " ").contains("openid") == true)
    #expect(request.parameter("code_challenge_method") == "S256")
    let challenge = try #require(request.parameter("code_challenge"))
    let nonce = try #require(request.parameter("nonce"))
    let requested = try #require(request.parameter("state"))
    #expect(challenge.utf8.count == 43 && nonce.utf8.count >= 32 && requested.utf8.count == 40)
    state.withLock {
      $0.grants[code] = Grant(
        challenge: challenge, redirectURI: $0.redirectURI, nonce: nonce)
    }
    return Self.message(
      ["code": code, "state": requested, "iss": issuer], mode: request.parameter("response_mode"))
  }

  /// An answer with these parameters, as the response mode brings it.
  static func message(_ parameters: [String: String], mode: String? = nil) -> WebRequest {
    let text = parameters.sorted { $0.key < $1.key }
      .map { $0.key + "=" + HTTPURL.percentEncoded($0.value) }.joined(separator: "&")
    guard mode == "form_post" else {
      return WebRequest(method: "GET", path: "/openid/callback", query: text)
    }
    return WebRequest(
      method: "POST", path: "/openid/callback", contentType: "application/x-www-form-urlencoded",
      body: Array(text.utf8))
  }

  /// A transport that reaches this provider alone.
  var transport: ScriptedTransport {
    ScriptedTransport { [self] (request) throws(TokenError) in
      guard request.url.text.hasPrefix(issuer) else { throw TokenError(.transportUnreachable) }
      let path = String(request.url.text.dropFirst(issuer.count))
      if let replaced = state.current.replaced[path] { return replaced }
      switch path {
      case "/.well-known/openid-configuration": return document(object(state.current.discovery))
      case "/keys":
        let keys = state.current.keySet.map(\.json).joined(separator: ",")
        return document("{\"keys\":[\(keys)]}")
      case "/token": return token(request)
      case "/userinfo":
        guard request.method == .get, request.fields["Authorization"] == "Bearer access-1" else {
          return .of(401)
        }
        return .json(object(state.current.userInfo))
      default: return .of(404)
      }
    }
  }

  private func document(_ body: String) -> HTTPResponse {
    var response = HTTPResponse.json(body)
    if let cache = state.current.cacheControl {
      try? response.fields.append("Cache-Control", cache)
    }
    return response
  }
}
