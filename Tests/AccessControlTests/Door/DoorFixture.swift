import AccessControl
import HTTPExchange
import SecurityKeys
import SignIn
import TestSupport
import Testing
import TokenBasics

/// What somebody gets at an entrance.
struct DoorTokens {
  var token = ""
  /// What token exchange calls it.
  var type = ""
  var idToken: String?
  var refresh: String?
  /// In seconds, as the answer says.
  var lifetime: Int?
  /// The code for which it was given, and who redeems it.
  var redeeming: DoorRequest?
  /// The cookies of the browser.
  var cookies = ""
  /// The `client_id` of a client that no file names.
  var stranger: String?
}

/// How an entrance answers.
enum DoorAnswer {
  case given(DoorTokens)
  /// A fault of the request, with its answer.
  case refused(String)
  /// A code was given, and its token refused.
  case refusedLate(String)
  /// Neither a token nor a refusal: a fault of the service.
  case broken(String)

  var tokens: DoorTokens? {
    if case .given(let tokens) = self { tokens } else { nil }
  }
}

/// A request of a program.
struct DoorRequest {
  var path = ExchangeFixture.endpoint
  var fields: [(String, String)]
  /// Who authenticates itself, and its secret; nil for nobody.
  var client: (id: String, secret: String)?
}

/// A service whose file changes while somebody is on the way to a token.
struct DoorFixture {
  static let shop = (id: DoorWorld.realm, secret: "secret of shop")
  static let chat = (id: "chat", secret: "secret of chat")
  static let game = (id: "game", secret: "secret of game")

  static let next = (id: "urn:next", secret: "secret of next")

  let upstream: ExchangeFixture
  /// Whether people sign in with `offline_access`.
  var isOffline = false
  private let store: NamespaceStore

  let documents = ClientDocumentTransport()

  init(_ world: DoorWorld) throws {
    store = NamespaceStore(try world.namespace())
    upstream = try ExchangeFixture(
      store,
      registration: ClientRegistration(
        relyingParty: DoorWorld.realm, token: nil, transport: documents))
  }

  /// Reads another file, as a running service does.
  func reload(_ world: DoorWorld) throws { store.replace(with: try world.namespace()) }

  // MARK: Requests

  func get(
    _ target: String, cookies: String = "", bearer: String? = nil
  ) async throws -> HTTPExchange.HTTPResponse {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var request = WebRequest(
      method: "GET", path: String(parts[0]), query: parts.count == 2 ? String(parts[1]) : nil)
    if !cookies.isEmpty { try request.fields.append("Cookie", cookies) }
    if let bearer { try request.fields.append("Authorization", "Bearer " + bearer) }
    return await upstream.site.respond(to: request)
  }

  func post(
    _ path: String, _ fields: [(String, String)], cookies: String = "",
    client: (id: String, secret: String)? = nil
  ) async throws -> HTTPExchange.HTTPResponse {
    let body = fields.map { FormEncoding.encode($0.0) + "=" + FormEncoding.encode($0.1) }
      .joined(separator: "&")
    var request = WebRequest(method: "POST", path: path, body: Array(body.utf8))
    try request.fields.append("Content-Type", "application/x-www-form-urlencoded")
    if !cookies.isEmpty { try request.fields.append("Cookie", cookies) }
    if let client {
      let pair = [client.id, client.secret].map(HTTPURL.percentEncoded).joined(separator: ":")
      try request.fields.append("Authorization", "Basic " + Base64.encode(Array(pair.utf8)))
    }
    return await upstream.site.respond(to: request)
  }

  /// Sends a request of a program to a token endpoint.
  func send(_ request: DoorRequest) async throws -> DoorAnswer {
    let response = try await post(request.path, request.fields, client: request.client)
    return try Self.read(response) { response in
      let json = try JSONParser.parse(response.body)
      guard let token = json["access_token"]?.string else { return nil }
      var tokens = DoorTokens(token: token)
      tokens.type = json["issued_token_type"]?.string ?? ExchangeFixture.type + "access_token"
      tokens.idToken = json["id_token"]?.string
      tokens.refresh = json["refresh_token"]?.string
      tokens.lifetime = json["expires_in"]?.integer
      return tokens
    }
  }

  /// Reads an answer: a status of 400 to 499 refuses.
  static func read(
    _ response: HTTPExchange.HTTPResponse,
    _ tokens: (HTTPExchange.HTTPResponse) throws -> DoorTokens?
  ) throws -> DoorAnswer {
    switch response.status {
    case 400..<500: return .refused(response.text)
    case 200..<400:
      if let found = try tokens(response) { return .given(found) }
      return .broken("\(response.status) \(response.text)")
    default: return .broken("\(response.status) \(response.text)")
    }
  }

  static func query(_ path: String, _ parameters: [(String, String)]) -> String {
    path + "?"
      + parameters.map { $0 + "=" + HTTPURL.percentEncoded($1) }.joined(separator: "&")
  }

  // MARK: The browser

  /// A step of the way at which the file may change.
  typealias Change = (DoorMoment) throws -> Void

  /// Follows the answer to a request to the page of the provider, and signs in there.
  func signIn(
    _ begun: HTTPExchange.HTTPResponse, _ change: Change
  ) async throws -> HTTPExchange.HTTPResponse {
    // Who asks, if it is in no file, is shown before the person leaves for the provider.
    let link = begun.text.split(separator: "\n").first { $0.hasPrefix("link test ") }
      .map { String($0.dropFirst("link test ".count)) }
    guard let location = begun.fields["Location"] ?? link,
      location.hasPrefix(ExchangeFixture.issuer)
    else { return begun }
    return try await signIn(at: HTTPURL(location).target, cookies: begun.cookies, change)
  }

  /// Signs in on the page of the provider.
  func signIn(
    at target: String, cookies: String = "", _ change: Change
  ) async throws -> HTTPExchange.HTTPResponse {
    let page = try await get(target, cookies: cookies)
    guard page.status == 200, page.text.contains("field cx=") else { return page }
    try change(.middle)
    let all = [cookies, page.cookies].filter { !$0.isEmpty }.joined(separator: "; ")
    return try await post(
      "/v2/sign-in",
      ["cx", "token", "name"].map { ($0, PlainPages.field($0, in: page.text)) } + [("person", "0")],
      cookies: all)
  }

  /// The parameters with which the browser comes back to a client: in a query, or in a form.
  func returned(_ response: HTTPExchange.HTTPResponse) throws -> (code: String?, error: String?) {
    if let location = response.fields["Location"] {
      let form = try FormReader((HTTPURL(location).query ?? "").utf8)
      return (form["code"], form["error"])
    }
    let fields = ["code", "error"].map { PlainPages.field($0, in: response.text) }
    return (fields[0].isEmpty ? nil : fields[0], fields[1].isEmpty ? nil : fields[1])
  }

  /// The assertion in a message, as token exchange takes it.
  static func assertion(in message: String) -> String? {
    guard let end = message.firstRange(of: ":Assertion>") ?? message.firstRange(of: "/Assertion>"),
      let begin = message.firstRange(of: "<saml:Assertion") ?? message.firstRange(
        of: "<saml2:Assertion")
        ?? message.firstRange(of: "<Assertion"), begin.lowerBound < end.upperBound
    else { return nil }
    return Base64.encode(Array(message[begin.lowerBound..<end.upperBound].utf8), .url)
  }
}
