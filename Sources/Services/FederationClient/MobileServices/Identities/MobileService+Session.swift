public import HTTPExchange
public import TokenBasics

extension MobileService: ProviderSignOut {
  /// The person's identities at their providers (`GET /.auth/me`).
  ///
  /// - Returns: An empty array if the service has no identity for the session.
  /// - Throws: `client.identities` if the service stores none; `session.over` if it rejects the token;
  /// `transport.*`, `input.json-*`.
  public func identities(
    of session: Session, over transport: any HTTPTransport
  ) async throws(TokenError) -> [ProviderIdentity] {
    let answer = try await send(.get, "me", session, transport)
    switch answer.status {
    case 200: return try ProviderIdentity.list(try JSONAnswer.read(answer))
    case 401: throw TokenError(.sessionOver, node: "/.auth/me")
    case 404: throw TokenError(.clientIdentities)
    default: throw answer.unexpected(at: "/.auth/me")
    }
  }

  /// The session with a new token, without a prompt (`GET /.auth/refresh`): up to 72 hours after its end,
  /// for providers that issue refresh tokens. Facebook and Twitter do not.
  ///
  /// - Throws: `session.renewal-refused` when a new sign-in is needed; `transport.*`, `input.json-*`.
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
    default: throw answer.unexpected(at: "/.auth/refresh")
    }
    let user = try MobileUser(try JSONAnswer.read(answer))
    var renewed = user.session(
      at: self, provider: session.provider.map { MobileProvider(rawValue: $0) },
      now: session.signedInAt, lifetime: session.lifetime)
    renewed.lastUsedAt = session.lastUsedAt
    renewed.details = session.details
    return renewed
  }

  /// What follows a 401 of this service: a refresh without a prompt if the service supports it, then the
  /// provider's sign-in; for custom accounts the end of the session.
  ///
  /// - Parameters:
  ///   - session: The session that is renewed.
  ///   - transport: Reaches the service.
  ///   - signIn: Shows the sign-in of the session's provider; nil never prompts.
  public func renewal(
    for session: Session, over transport: any HTTPTransport, signIn: Renewal.SignIn? = nil
  ) -> Renewal {
    guard session.provider != nil else { return .logOut }
    guard isAppService else { return Renewal(signIn: signIn) }
    return Renewal(
      refresh: { session in try await refreshed(session, over: transport) },
      signIn: signIn)
  }

  /// The address at which a browser deletes its cookies for the app (`/.auth/logout`). Mobile Services
  /// version 1 has none: there, delete the cookies of ``MobileProvider/cookieDomains``.
  public func providerSignOutAddresses(of session: Session) -> [String] {
    guard isAppService, let url = try? signInURL("logout") else { return [] }
    return [url.text]
  }

  /// Ends the session at App Service (`/.auth/logout`); version 1 stores none.
  /// - Throws: `transport.*`.
  public func endSession(
    _ session: Session, over transport: some HTTPTransport
  ) async throws(TokenError) {
    guard isAppService else { return }
    let answer = try await send(.get, "logout", session, transport)
    // The service redirects browsers to a page, which is not fetched.
    guard answer.isSuccess || answer.isRedirect || answer.status == 401 else {
      throw answer.unexpected(at: "/.auth/logout")
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
