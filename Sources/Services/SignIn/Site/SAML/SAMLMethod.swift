/// Sign-in by SAML 2.0 (SAML Profiles 4.1): our side, and what is known of the identity provider.
public struct SAMLMethod: SignInMethod {
  /// A response, or what stands for one.
  public enum Answer: Sendable {
    /// A posted response.
    case response(SAMLAnswer)
    /// An artifact, for which the response is fetched.
    case artifact(SAMLArtifact)
  }

  /// Our side.
  public let service: ServiceProvider
  /// The identity provider.
  public let source: ProviderSource<IdentityProvider>

  /// The protocol of a provider.
  public init(_ service: ServiceProvider, _ source: ProviderSource<IdentityProvider>) {
    self.service = service
    self.source = source
  }

  /// SAML 2.0.
  public static var kind: PendingSignIn.Kind { .saml2 }
  /// `RelayState`.
  public static var requestParameter: String { "RelayState" }
  /// The entity identifier of the identity provider.
  public var issuer: String { source.entityID }
  /// Our entity identifier.
  public var discoveryName: String? { service.entityID }

  /// `saml/acs`, `saml/slo`, `saml/metadata`. By GET an artifact alone comes to the first.
  public static func routes(_ providers: [String]) -> [SignInRoute] {
    [
      SignInRoute(["POST", "GET"], "saml/acs", .answers, activity: "signin.saml"),
      SignInRoute(["GET", "POST"], "saml/slo", .signOut, activity: "signout.saml"),
      SignInRoute(["GET"], "saml/metadata", .metadata),
    ]
  }

  /// A logout request and an unsolicited answer name no more than the issuer.
  public static func check(
    _ providers: [(id: String, method: Self)], _ settings: SiteSettings
  ) throws(TokenError) {
    var entities: Set<[UInt8]> = []
    for (id, method) in providers {
      guard entities.insert(Array(method.issuer.utf8)).inserted else {
        throw SignInProvider.refused(id, "an entity identifier of its own", method.issuer)
      }
    }
  }

  /// Begins with an `AuthnRequest`.
  public func begin(
    returningTo path: ReturnPath?, demanding demands: SignInDemands, at now: Instant
  ) async throws(TokenError) -> BegunSignIn {
    try service.begin(
      at: await source.provider(at: now), returningTo: path,
      options: service.options.adding(demands), at: now)
  }

  /// Reads a response or an artifact.
  public static func read(
    _ request: WebRequest, among methods: [Self], at now: Instant
  ) async throws(TokenError) -> ReceivedAnswer<Answer> {
    if let artifact = try SAMLArtifact(request) {
      return .answer(to: try artifact.request, .artifact(artifact))
    }
    let answer = try SAMLAnswer(request)
    guard answer.namesRequest else {
      return .unsolicited(issuer: answer.unverifiedIssuer, .response(answer))
    }
    return .answer(to: try answer.request, .response(answer))
  }

  /// Judges a response; one for an artifact is fetched first.
  public func finish(
    _ answer: Answer, of pending: PendingSignIn?, at provider: SignInProvider,
    used: any ReplayStore, clock: any TimeSource
  ) async throws(TokenError) -> VerifiedSignIn {
    let identityProvider = try await source.provider(at: clock.now)
    let trust = try await provider.trust(at: clock.now)
    switch (answer, pending) {
    case (.response(let response), let pending?):
      return VerifiedSignIn(
        try await service.finish(
          response, pending, from: identityProvider, trust: trust, used: used, at: clock.now))
    case (.response(let response), nil):
      return VerifiedSignIn(
        try await service.finishUnsolicited(
          response, from: identityProvider, named: provider.id, trust: trust, used: used,
          at: clock.now))
    case (.artifact(let artifact), let pending?):
      let response = try await service.resolve(
        artifact, pending, from: identityProvider, trust: trust, used: used, at: clock.now)
      return VerifiedSignIn(
        try await service.finish(
          response, pending, from: identityProvider, trust: trust, used: used, at: clock.now))
    case (.artifact, nil): throw TokenError(.signInUnsolicited)
    }
  }

  /// Begins with a `LogoutRequest`; nil also while the provider's metadata is not known.
  public func signOut(
    of session: SignedInSession, _ settings: SiteSettings, at now: Instant
  ) async throws(TokenError) -> BegunSignOut? {
    guard let identityProvider = try? await source.provider(at: now) else { return nil }
    let begun = try service.beginLogout(
      of: session.principal.issuerSession, at: identityProvider, at: now)
    return begun.map { BegunSignOut($0.action, pending: $0.pending) }
  }

  /// The text of the message's `Issuer`.
  public static func signOutIssuer(of request: WebRequest) throws(TokenError) -> String? {
    try LogoutPeek.issuer(of: request)
  }

  /// A `LogoutRequest`, or a `LogoutResponse` to ours.
  public func receiveSignOut(
    _ request: WebRequest, at provider: SignInProvider,
    pending: @Sendable (_ request: String) throws(TokenError) -> PendingSignIn,
    used: any ReplayStore, clock: any TimeSource
  ) async throws(TokenError) -> ReceivedSignOut {
    let identityProvider = try await source.provider(at: clock.now)
    let received = try await service.receiveLogout(
      request, from: identityProvider, named: provider.id,
      trust: try await provider.trust(at: clock.now), pending: pending, used: used, at: clock.now)
    switch received {
    case .response(let problem): return .answer(isComplete: problem == nil)
    case .request(let demand):
      return .demand(demand.ended(at: provider.id)) { [service] (outcome) throws(TokenError) in
        switch try service.answer(demand, outcome, to: identityProvider, at: clock.now) {
        case .browser(let action): .browser(action)
        case .soap(let octets): .document(contentType: "text/xml; charset=utf-8", octets)
        }
      }
    }
  }

  /// The metadata of a service provider, signed where there is a key.
  public func metadata(_ settings: SiteSettings) throws(TokenError) -> [UInt8]? {
    var metadata = service.metadata()
    if settings.discovery != nil {
      metadata.discoveryResponse = try settings.address("sign-in").text
    }
    return try metadata.document(signedWith: service.signingKeys.first)
  }
}

extension SignInMethod where Self == SAMLMethod {
  /// SAML 2.0.
  public static func saml(
    _ service: ServiceProvider, _ source: ProviderSource<IdentityProvider>
  ) -> Self { Self(service, source) }
}

extension AuthnRequestOptions {
  /// These, and what one sign-in demands (SAML Core 3.4.1). SAML knows no age, so one signs the subject in anew.
  fileprivate func adding(_ demands: SignInDemands) -> Self {
    var options = self
    options.forcesSignIn =
      options.forcesSignIn || demands.forcesSignIn || demands.maxAge != nil
    options.isPassive = options.isPassive || demands.isPassive
    options.contexts = demands.contexts(within: options.contexts)
    // The provider is one of those that may stand between (SAML Core 3.4.1.5.1).
    options.proxyCount = demands.proxyCount.map { max(0, $0 - 1) }
    options.providers = demands.providers
    return options
  }
}

extension ProviderSource<IdentityProvider> {
  /// A SAML 2.0 identity provider that does not change.
  public static func fixed(_ provider: IdentityProvider) -> Self {
    Self(entityID: provider.entityID, fixed: provider)
  }

  /// A SAML 2.0 identity provider by the metadata of a registry.
  public static func metadata(_ registry: MetadataRegistry, entityID: String) -> Self {
    Self(entityID: entityID, registry, element: "IDPSSODescriptor") {
      (entity) throws(TokenError) in try IdentityProvider(entity)?.asDocument(of: registry.origin)
    }
  }
}

extension SignInProvider {
  /// A SAML 2.0 identity provider by its metadata document.
  ///
  /// - Parameters:
  ///   - id: Names it in paths and sessions.
  ///   - name: Its name for people; nil for `id`.
  ///   - metadata: The metadata document.
  ///   - signers: The keys of which one must have signed the document; nil for a document that is trusted as
  ///     configuration.
  ///   - entityID: The provider among several; nil for the only one.
  ///   - service: This service as a service provider.
  ///   - now: The clock, read once by the caller.
  /// - Throws: `signin.configuration` where the document describes no such provider, or several;
  ///   `signin.no-endpoint`; errors of the metadata.
  public static func saml(
    id: String, name: String? = nil, metadata: [UInt8], signedBy signers: [TrustedKey]? = nil,
    entityID: String? = nil, service: ServiceProvider, at now: Instant
  ) throws(TokenError) -> Self {
    let entities = try Self.entities(metadata, signers, entityID, at: now)
    let entity = try only(entities, [.identityProvider])
    guard let provider = try IdentityProvider(entity) else { throw missing("IDPSSODescriptor") }
    return Self(
      id: id, name: name ?? provider.displayName, .saml(service, .fixed(provider)),
      registry: try registry(entity, [.saml20], service.entityID))
  }

  /// A SAML 2.0 identity provider by metadata at an address, whose keys and endpoints are those of now.
  ///
  /// - Parameters:
  ///   - id: Names it in paths and sessions.
  ///   - name: Its name for people; nil for `id`.
  ///   - source: Names one entity.
  ///   - transport: Fetches the metadata.
  ///   - copy: Stores what was accepted, for a start while the server is down.
  ///   - service: This service as a service provider.
  ///   - clock: The clock; another one in tests.
  ///   - observer: Hears of what happens, for logs, metrics and traces.
  /// - Throws: `signin.configuration` for a source of several entities.
  public static func saml(
    id: String, name: String? = nil, source: MetadataSource, transport: any HTTPTransport,
    copy: (any MetadataCopy)? = nil, service: ServiceProvider,
    clock: any TimeSource = SystemTime(), observer: any ActivityObserver = NoObserver()
  ) throws(TokenError) -> Self {
    let entityID = try only(source)
    let registry = registry(
      source, [.saml20], service.entityID, transport, copy, clock, observer)
    return Self(
      id: id, name: name ?? entityID,
      .saml(service, .metadata(registry, entityID: entityID)), registry: registry)
  }
}
