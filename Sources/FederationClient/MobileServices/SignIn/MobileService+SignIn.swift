public import HTTPExchange
import StrictJSON
public import TokenErrors

extension MobileService {
  /// Trades a provider's token for a session (`POST …/login/{provider}`).
  ///
  /// - Throws: `client.other-provider`, `transport.status` for a service that failed,
  ///   `client.rate-limited`; `transport.*`, `input.json-*`.
  public func signIn(
    with credential: ProviderCredential, over transport: any HTTPTransport
  ) async throws(TokenError) -> MobileSignIn {
    let request = HTTPRequest(
      .post, try signInURL("login", credential.provider.rawValue), body: credential.body)
    return try await signIn(
      request, by: credential.provider, hiding: credential.secrets, over: transport)
  }

  /// Tries a user's token at a table: the service examines a token whenever one comes, even where
  /// everybody may read.
  ///
  /// - Returns: Nil where the service takes the token, its words where it refuses (401).
  /// - Throws: `client.parameter` for a table whose answer says nothing about the token;
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
    if answer.isRedirect { throw TokenError(.transportRedirect, node: url.path) }
    throw failure(answer, url)
      ?? TokenError(
        .clientParameter, node: url.path, expected: "a table that signed-in people may read",
        found: "status \(answer.status)")
  }

  /// What is wrong with the service and says nothing about the person.
  func failure(_ answer: HTTPResponse, _ url: HTTPURL) -> TokenError? {
    switch answer.status {
    case 429: TokenError(.clientRateLimited, node: url.path)
    case 500...:
      TokenError(.transportStatus, node: url.path, found: "status \(answer.status)")
    default: nil
    }
  }

  /// Sends a request whose success is a login answer.
  ///
  /// - Parameter provider: The one that was chosen; nil for an account of the service's own.
  func signIn(
    _ request: HTTPRequest, by provider: MobileProvider? = nil, hiding secrets: [Secret],
    over transport: any HTTPTransport
  ) async throws(TokenError) -> MobileSignIn {
    let answer = try await transport.response(to: try prepared(request))
    if answer.isRedirect { throw TokenError(.transportRedirect, node: request.url.path) }
    if let failure = failure(answer, request.url) { throw failure }
    guard answer.isSuccess else {
      return .refused(ServerMessage(answer, hiding: secrets))
    }
    return .signedIn(try MobileUser(try JSONAnswer.read(answer)).checked(against: provider))
  }
}
