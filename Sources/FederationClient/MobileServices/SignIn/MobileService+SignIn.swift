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
