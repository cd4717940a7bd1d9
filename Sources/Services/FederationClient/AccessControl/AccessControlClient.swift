public import HTTPExchange
public import Federation

/// A client of Access Control Service. It verifies every token before it returns it.
public struct AccessControlClient: Sendable {
  /// The namespace and realm that requests go to.
  public let service: AccessControlService
  /// Issuers and keys for verification; only the entries for the issuer of ``service`` apply.
  public let trust: Trust
  let transport: any HTTPTransport
  let time: any TimeSource
  let observer: any ActivityObserver

  /// Attempts for one request: 5, as the service's vendor recommends.
  static let tries = 5

  /// A client that sends its requests over `transport` and takes the time of verification from `time`.
  public init(
    _ service: AccessControlService, trust: Trust, transport: any HTTPTransport,
    time: any TimeSource, observer: any ActivityObserver = NoObserver()
  ) {
    self.service = service
    self.trust = trust
    self.transport = transport
    self.time = time
    self.observer = observer
  }

  // MARK: Identity providers

  /// The identity providers of the realm.
  /// - Throws: `client.*` for an error of the service, `client.content-type`, `input.json-*`,
  ///   `transport.*`.
  public func providers(
    _ request: ProviderListRequest
  ) async throws(TokenError) -> [IdentityProvider] {
    var message = HTTPRequest(.get, try service.providerListAddress(request))
    try message.fields.append("Accept", "application/json, text/javascript")
    let response = try await answer(to: message, "acs.providers", hiding: [])
    return try ProviderList.read(response, callback: request.callback)
  }

  /// The providers to choose from, with the choice stored by ``remember(_:in:)``.
  /// - Throws: as ``providers(_:)``, and `session.store-*`.
  public func picker(
    _ request: ProviderListRequest, rememberedIn store: any CredentialStore
  ) async throws(TokenError) -> ProviderPicker {
    ProviderPicker(
      try await providers(request), lastChoice: try await store.read().choices[choiceName])
  }

  /// Stores the name of the chosen provider for this realm and service.
  /// - Throws: `session.store-*`.
  public func remember(
    _ provider: IdentityProvider, in store: any CredentialStore
  ) async throws(TokenError) {
    let name = choiceName
    try await store.update { $0.choices[name] = provider.name }
  }

  private var choiceName: String { "provider of \(service.realm) at \(service.base.origin)" }

  // MARK: Tokens

  /// A token by OAuth WRAP 0.9: always a Simple Web Token.
  /// - Throws: `client.*` for an error of the service, errors of verification, `transport.*`.
  public func token(_ grant: WRAPGrant) async throws(TokenError) -> AccessControlToken {
    let request = try HTTPRequest.form(
      grant.fields(service), to: try service.address("/WRAPv0.9"), fields: [])
    let response = try await answer(to: request, "acs.wrap", hiding: grant.secrets)
    let body = try WRAPAnswer(response)
    return try AccessControlToken(
      body.token, pinned: .swt, service: service, trust: trust, at: time.now,
      lifetime: body.lifetime)
  }

  /// A token by OAuth 2.0, draft 13, in the format configured for the realm.
  /// - Throws: `client.*` for an error of the service, errors of verification, `transport.*`; for a code
  ///   whose request had a nonce, `response.in-response-to-missing` if the token has none and
  ///   `response.in-response-to-mismatch` if it has another.
  public func token(
    _ grant: OAuthGrant, client: OAuthClient
  ) async throws(TokenError) -> AccessControlToken {
    let request = try HTTPRequest.form(
      grant.fields(client, service), to: try service.address("/v2/OAuth2-13"))
    let secrets = grant.secrets + [client.secret]
    let response = try await answer(to: request, "acs.oauth", hiding: secrets)
    let body = try OAuthAnswer(response)
    return try AccessControlToken(
      body.token, pinned: PinnedFormat(rawValue: body.format.name), service: service, trust: trust,
      at: time.now, nonce: grant.nonce,
      refreshToken: body.refreshToken, lifetime: body.lifetime)
  }

  /// A refresh that replaces a session's credential by a new token from `token`, without a prompt.
  /// - Parameter token: Fetches the new token. `client.credentials` and `client.request-refused` become
  ///   `session.renewal-refused`.
  public func renewal(
    by token: @escaping @Sendable (Session) async throws -> AccessControlToken
  ) -> Renewal.Refresh {
    let time = time
    return { session in
      do {
        let token = try await token(session)
        var renewed = try token.session(
          scheme: session.credential.scheme, at: time.now, provider: session.provider,
          subject: session.principal.subject, lifetime: session.lifetime)
        renewed.signedInAt = session.signedInAt
        renewed.lastUsedAt = time.now
        renewed.details = session.details
        if renewed.refreshToken == nil { renewed.refreshToken = session.refreshToken }
        return renewed
      } catch let error as TokenError {
        guard error.code == .clientCredentials || error.code == .clientRequestRefused else {
          throw error
        }
        throw TokenError(.sessionRenewalRefused, node: error.node, found: error.found)
      }
    }
  }

  /// A refresh that trades the session's refresh token at the OAuth endpoint.
  public func renewal(client: OAuthClient) -> Renewal.Refresh {
    renewal { session in
      guard let refreshToken = session.refreshToken else {
        throw TokenError(.sessionRenewalRefused, found: "no refresh token")
      }
      return try await self.token(.refreshToken(refreshToken), client: client)
    }
  }

  // MARK: Requests

  /// The response with a 2xx status. Retries only 429 and 5xx, after 1, 2, 4 and 8 seconds.
  private func answer(
    to request: HTTPRequest, _ name: StaticString, hiding secrets: [Secret]
  ) async throws(TokenError) -> HTTPResponse {
    let transport = transport
    let time = time
    let host = request.url.origin.description
    return try await observer.during(Activity(name, [("server", host)])) {
      () throws(TokenError) in
      for attempt in 1... {
        let response = try await transport.response(to: request)
        if response.isSuccess { return response }
        try response.refuseRedirect(at: host)
        let mayPass = response.status == 429 || response.status >= 500
        guard mayPass, attempt < Self.tries else {
          throw AccessControlFailure(response, hiding: Redaction(secrets)).error
        }
        await time.wait(.seconds(1 << (attempt - 1)))
        if Task.isCancelled { throw TokenError(.transportCancelled) }
      }
      throw TokenError(.clientServiceBusy)
    }
  }
}
