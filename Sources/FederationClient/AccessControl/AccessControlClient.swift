public import Federation
public import HTTPExchange

/// Talks to Access Control Service and takes no token from it unverified.
public struct AccessControlClient: Sendable {
  public let service: AccessControlService
  /// Whose tokens are taken; only those of ``service``'s issuer count.
  public let trust: Trust
  let transport: any HTTPTransport
  let time: any TimeSource
  let observer: any ActivityObserver

  /// Tries of one request: 5, as the service's makers advise.
  static let tries = 5

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
  /// - Throws: `client.*` for what the service says, `client.content-type`, `input.json-*`,
  ///   `transport.*`.
  public func providers(
    _ request: ProviderListRequest
  ) async throws(TokenError) -> [IdentityProvider] {
    var message = HTTPRequest(.get, try service.providerListAddress(request))
    try message.fields.append("Accept", "application/json, text/javascript")
    let response = try await answer(to: message, "acs.providers", hiding: [])
    return try ProviderList.read(response, callback: request.callback)
  }

  /// The question which provider to use, with the answer of last time.
  /// - Throws: as ``providers(_:)``, and `session.store-*`.
  public func picker(
    _ request: ProviderListRequest, rememberedIn store: any CredentialStore
  ) async throws(TokenError) -> ProviderPicker {
    ProviderPicker(
      try await providers(request), lastChoice: try await store.read().choices[choiceName])
  }

  /// Remembers which provider was chosen.
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
  /// - Throws: `client.*` for what the service says, what verification throws, `transport.*`.
  public func token(_ grant: WRAPGrant) async throws(TokenError) -> AccessControlToken {
    var request = HTTPRequest(
      .post, try service.address("/WRAPv0.9"), body: FormBody.encode(grant.fields(service)))
    try request.fields.append("Content-Type", FormBody.mediaType)
    let response = try await answer(to: request, "acs.wrap", hiding: grant.secrets)
    let body = try WRAPAnswer(response)
    return try AccessControlToken(
      body.token, pinned: .swt, service: service, trust: trust, at: time.now,
      lifetime: body.lifetime)
  }

  /// A token by OAuth 2.0, draft 13, in whichever format the realm has.
  /// - Throws: `client.*` for what the service says, what verification throws, `transport.*`; for a code
  ///   whose request had a nonce `response.unsolicited` without it in the token and
  ///   `response.request-mismatch` with another.
  public func token(
    _ grant: OAuthGrant, client: OAuthClient
  ) async throws(TokenError) -> AccessControlToken {
    let fields = grant.fields(client, service)
    var request = HTTPRequest(
      .post, try service.address("/v2/OAuth2-13"), body: FormBody.encode(fields))
    try request.fields.append("Content-Type", FormBody.mediaType)
    try request.fields.append("Accept", "application/json")
    let secrets = grant.secrets + [client.secret]
    let response = try await answer(to: request, "acs.oauth", hiding: secrets)
    let body = try OAuthAnswer(response)
    return try AccessControlToken(
      body.token, pinned: PinnedFormat(rawValue: body.format.name), service: service, trust: trust,
      at: time.now, nonce: grant.nonce,
      refreshToken: body.refreshToken, lifetime: body.lifetime)
  }

  /// Renews sessions silently by asking again in the same way, or by their refresh tokens.
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

  /// Renews sessions by the refresh tokens of the OAuth endpoint.
  public func renewal(client: OAuthClient) -> Renewal.Refresh {
    renewal { session in
      guard let refreshToken = session.refreshToken else {
        throw TokenError(.sessionRenewalRefused, found: "no refresh token")
      }
      return try await self.token(.refreshToken(refreshToken), client: client)
    }
  }

  // MARK: Requests

  /// A successful answer. 429 and 5xx are tried again after 1, 2, 4 and 8 seconds; nothing else is.
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
        guard !response.isRedirect else { throw TokenError(.transportRedirect, node: host) }
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
