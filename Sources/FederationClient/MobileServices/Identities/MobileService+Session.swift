public import HTTPExchange
import StrictJSON
public import TokenErrors

extension MobileService: ProviderSignOut, ServiceSignOut {
  /// The person's identities at their providers (`GET /.auth/me`).
  ///
  /// - Returns: None when nobody is signed in.
  /// - Throws: `client.identities` where the service keeps none; `session.ended` when it does not take
  ///   the token; `transport.*`, `input.json-*`.
  public func identities(
    of session: Session, over transport: any HTTPTransport
  ) async throws(TokenError) -> [ProviderIdentity] {
    let answer = try await send(.get, "me", session, transport)
    switch answer.status {
    case 200: return try ProviderIdentity.list(try JSONAnswer.read(answer))
    case 401: throw TokenError(.sessionOver, node: "/.auth/me")
    case 404: throw TokenError(.clientIdentities)
    default: throw TokenError(.transportStatus, node: "/.auth/me", found: "\(answer.status)")
    }
  }

  /// The session with a fresh token, without asking anybody (`GET /.auth/refresh`): up to 72 hours after
  /// its end, for providers that gave out a refresh token. Facebook and Twitter do not.
  ///
  /// - Throws: `session.renewal-refused` when only a sign-in helps; `transport.*`, `input.json-*`.
  public func refreshed(
    _ session: Session, over transport: any HTTPTransport
  ) async throws(TokenError) -> Session {
    guard isAppService, session.provider != nil else {
      throw TokenError(.sessionRenewalRefused, expected: "App Service and a provider")
    }
    let answer = try await send(.get, "refresh", session, transport)
    switch answer.status {
    case 200: break
    case 400, 401, 403:
      throw TokenError(
        .sessionRenewalRefused, node: "/.auth/refresh", found: "status \(answer.status)")
    default: throw TokenError(.transportStatus, node: "/.auth/refresh", found: "\(answer.status)")
    }
    let user = try MobileUser(try JSONAnswer.read(answer))
    var renewed = user.session(
      at: self, provider: session.provider.map { MobileProvider(rawValue: $0) },
      now: session.signedInAt, lifetime: session.lifetime)
    renewed.lastUsedAt = session.lastUsedAt
    renewed.details = session.details
    return renewed
  }

  /// How a 401 of this service is answered: by a silent refresh where the service has one, then by the
  /// provider's sign-in; for custom accounts by the end of the session.
  ///
  /// - Parameter signIn: Shows the sign-in of the session's provider; nil never prompts.
  public func renewal(
    for session: Session, over transport: any HTTPTransport, signIn: Renewal.SignIn? = nil
  ) -> Renewal {
    guard session.provider != nil else { return .logOut }
    guard isAppService else { return Renewal(signIn: signIn) }
    return Renewal(
      refresh: { session in try await refreshed(session, over: transport) },
      signIn: signIn)
  }

  /// Where a browser drops its cookies for the app (`/.auth/logout`). Mobile Services version 1 has no
  /// such address: there, drop the cookies of ``MobileProvider/cookieDomains``.
  public func providerSignOutAddresses(of session: Session) -> [String] {
    guard isAppService, let url = try? signInURL("logout") else { return [] }
    return [url.text]
  }

  /// Tells App Service that the session ends; version 1 keeps none.
  /// - Throws: `transport.*`.
  public func endSession(
    _ session: Session, over transport: some HTTPTransport
  ) async throws(TokenError) {
    guard isAppService else { return }
    let answer = try await send(.get, "logout", session, transport)
    // The service sends browsers on to a page; nothing follows there.
    guard answer.isSuccess || answer.isRedirect || answer.status == 401 else {
      throw TokenError(.transportStatus, node: "/.auth/logout", found: "\(answer.status)")
    }
  }

  private func send(
    _ method: HTTPMethod, _ path: String, _ session: Session, _ transport: any HTTPTransport
  ) async throws(TokenError) -> HTTPResponse {
    var request = try prepared(HTTPRequest(method, try signInURL(path)))
    try session.credential.attach(to: &request)
    return try await transport.response(to: request)
  }
}
