public import HTTPExchange
public import TokenBasics

extension MobileService {
  /// Exchanges a provider's token for a session (`POST …/login/{provider}`).
  ///
  /// - Throws: `client.other-provider`, `transport.status` for a 5xx,
  ///`client.rate-limited`; `transport.*`, `input.json-*`.
  public func signIn(
    with credential: ProviderCredential, over transport: any HTTPTransport
  ) async throws(TokenError) -> MobileSignIn {
    let request = HTTPRequest(
      .post, try signInURL("login", credential.provider.rawValue), body: credential.body)
    return try await signIn(
      request, by: credential.provider, hiding: credential.secrets, over: transport)
  }

  /// Tests a user's token with a request to a table: the service verifies any token it receives, even where
  /// no token is needed.
  ///
  /// - Returns: Nil if the service accepts the token, its message if it rejects it (401).
  /// - Throws: `client.parameter` for a table whose response does not depend on the token;
  ///   `transport.status`, `client.rate-limited`, `transport.*`.
  public func refusal(
    of user: MobileUser, at table: String, over transport: any HTTPTransport
  ) async throws(TokenError) -> ServerMessage? {
    let url = try url("tables", table).adding([("$top", "1")])
    var request = try prepared(HTTPRequest(.get, url))
    try Credential(.zumo, user.token).attach(to: &request)
    let answer = try await transport.response(to: request)
    if answer.isSuccess { return nil }
    if answer.status == 401 { return ServerMessage(answer, hiding: [user.token]) }
    try answer.refuseRedirect(at: url.path)
    throw failure(answer, url)
      ?? TokenError(
        .clientParameter, node: url.path, expected: "a table that signed-in people may read",
        found: "status \(answer.status)")
  }

  /// The error for a status that concerns the service, not the user: 429 and 5xx.
  func failure(_ answer: HTTPResponse, _ url: HTTPURL) -> TokenError? {
    switch answer.status {
    case 429: TokenError(.clientRateLimited, node: url.path)
    case 500...: answer.unexpected(at: url.path)
    default: nil
    }
  }

  /// What the service answers to the input of a person.
  enum Reply {
    case accepted(HTTPResponse)
    case refused(ServerMessage)
  }

  /// The 2xx response to a request, or the service's message about its rejection.
  func answer(
    to request: HTTPRequest, hiding secrets: [Secret], over transport: any HTTPTransport
  ) async throws(TokenError) -> Reply {
    let answer = try await transport.response(to: try prepared(request))
    try answer.refuseRedirect(at: request.url.path)
    if let failure = failure(answer, request.url) { throw failure }
    return answer.isSuccess
      ? .accepted(answer) : .refused(ServerMessage(answer, hiding: secrets))
  }

  /// Sends a request whose 2xx response is a login response.
  ///
  /// - Parameter provider: The chosen provider; nil for an account of the service's own.
  func signIn(
    _ request: HTTPRequest, by provider: MobileProvider? = nil, hiding secrets: [Secret],
    over transport: any HTTPTransport
  ) async throws(TokenError) -> MobileSignIn {
    switch try await answer(to: request, hiding: secrets, over: transport) {
    case .refused(let message): return .refused(message)
    case .accepted(let answer):
      return .signedIn(try MobileUser(try JSONAnswer.read(answer)).checked(against: provider))
    }
  }
}

/// A credential from a provider's own library, to be exchanged for a session.
public enum ProviderCredential: Sendable {
  /// An access token of Facebook.
  case facebook(accessToken: Secret)
  /// An ID token of Google. App Service needs the authorization code too in order to refresh later.
  case google(idToken: Secret, accessToken: Secret? = nil, authorizationCode: Secret? = nil)
  /// Tokens of a Microsoft account: an access token, an authentication token (Live SDK), or both.
  case microsoftAccount(accessToken: Secret?, authenticationToken: Secret? = nil)
  /// An access token of Azure Active Directory.
  case azureActiveDirectory(accessToken: Secret)
  /// An access token of Twitter and its secret (OAuth 1.0a).
  case twitter(accessToken: Secret, accessTokenSecret: Secret)

  /// The provider that issued the credential.
  public var provider: MobileProvider {
    switch self {
    case .facebook: .facebook
    case .google: .google
    case .microsoftAccount: .microsoftAccount
    case .azureActiveDirectory: .azureActiveDirectory
    case .twitter: .twitter
    }
  }

  private var members: [(name: StaticString, value: Secret?)] {
    switch self {
    case .facebook(let token), .azureActiveDirectory(let token): [("access_token", token)]
    case .google(let id, let access, let code):
      [("id_token", id), ("access_token", access), ("authorization_code", code)]
    case .microsoftAccount(let access, let authentication):
      [("access_token", access), ("authenticationToken", authentication)]
    case .twitter(let token, let secret):
      [("access_token", token), ("access_token_secret", secret)]
    }
  }

  var secrets: [Secret] { members.compactMap(\.value) }

  var body: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      for (name, value) in members { json.member(name, value?.revealed) }
    }
    return json.bytes
  }
}
