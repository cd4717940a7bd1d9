/// Sign-in by the passive profile of WS-Federation (WS-Federation 1.2, 13): our side, and what is known of the issuer.
public struct WSFederationMethod: SignInMethod {
  /// Our side.
  public let party: PassiveRelyingParty
  /// The issuer.
  public let source: ProviderSource<PassiveIssuer>

  /// The protocol of a provider.
  public init(_ party: PassiveRelyingParty, _ source: ProviderSource<PassiveIssuer>) {
    self.party = party
    self.source = source
  }

  /// WS-Federation.
  public static var kind: PendingSignIn.Kind { .wsFederation }
  /// `wctx`.
  public static var requestParameter: String { "wctx" }
  /// A page of the issuer has a picture of every service (WS-Federation 1.2, 13.2.4).
  public static var endsByPicture: Bool { true }
  /// The entity identifier of the issuer.
  public var issuer: String { source.entityID }

  /// `wsfed`, `wsfed/metadata`.
  public static func routes(_ providers: [String]) -> [SignInRoute] {
    [
      SignInRoute(["GET", "POST"], "wsfed", .answers, activity: "signin.wsfederation"),
      SignInRoute(["GET"], "wsfed/metadata", .metadata),
    ]
  }

  /// Begins with `wsignin1.0`.
  public func begin(
    returningTo path: ReturnPath?, demanding demands: SignInDemands, at now: Instant
  ) async throws(TokenError) -> BegunSignIn {
    try await party.begin(
      at: source.provider(at: now), returningTo: path, options: PassiveOptions(demands), at: now)
  }

  /// Reads a posted token, or a message of sign-out. That one returns to addresses of issuers alone (WSF-11).
  public static func read(
    _ request: WebRequest, among methods: [Self], at now: Instant
  ) async throws(TokenError) -> ReceivedAnswer<PassiveToken> {
    guard let party = methods.first?.party else { throw TokenError(.signInProvider) }
    switch try party.receive(request) {
    case .token(let token): return .answer(to: try token.request, token)
    case .signOutCleanup(let reply):
      guard let reply else { return .signedOut(returningTo: nil) }
      for method in methods {
        let issuer = try? await method.source.provider(at: now)
        if issuer?.endpoint.origin == reply.origin { return .signedOut(returningTo: reply) }
      }
      return .signedOut(returningTo: nil)
    }
  }

  /// Judges a posted token.
  public func finish(
    _ answer: PassiveToken, of pending: PendingSignIn?, at provider: SignInProvider,
    used: any ReplayStore, clock: any TimeSource
  ) async throws(TokenError) -> VerifiedSignIn {
    guard let pending else { throw TokenError(.signInUnsolicited) }
    return VerifiedSignIn(
      try await party.finish(
        answer, pending, trust: try await provider.trust(at: clock.now), used: used, at: clock.now))
  }

  /// `wsignout1.0`; nil also while the issuer's metadata is not known.
  public func signOut(
    of session: SignedInSession, _ settings: SiteSettings, at now: Instant
  ) async throws(TokenError) -> BegunSignOut? {
    guard let issuer = try? await source.provider(at: now) else { return nil }
    return BegunSignOut(
      party.signOut(at: issuer, returningTo: try settings.address("sign-out")))
  }

  /// The metadata of an application service.
  public func metadata(_ settings: SiteSettings) throws(TokenError) -> [UInt8]? {
    try party.metadata.document()
  }
}

extension SignInMethod where Self == WSFederationMethod {
  /// WS-Federation.
  public static func wsFederation(
    _ party: PassiveRelyingParty, _ source: ProviderSource<PassiveIssuer>
  ) -> Self { Self(party, source) }
}

extension PassiveOptions {
  /// What one sign-in demands (WS-Federation 1.2, 13.2.2).
  fileprivate init(_ demands: SignInDemands) {
    self.init()
    homeRealm = demands.homeRealm
    authenticationType = demands.contexts.first
    freshness = demands.forcesSignIn ? 0 : demands.maxAge.map { $0 / 60 }
  }
}

extension ProviderSource<PassiveIssuer> {
  /// A WS-Federation issuer that does not change.
  public static func fixed(_ issuer: PassiveIssuer) -> Self {
    Self(entityID: issuer.entityID, fixed: issuer)
  }

  /// A WS-Federation issuer by the metadata of a registry.
  public static func metadata(_ registry: MetadataRegistry, entityID: String) -> Self {
    Self(entityID: entityID, registry, element: "SecurityTokenServiceType") {
      (entity) throws(TokenError) in try PassiveIssuer(entity)
    }
  }
}

extension SignInProvider {
  /// A WS-Federation issuer by its federation metadata; parameters as for ``saml(id:name:metadata:signedBy:entityID:service:at:)``.
  ///
  /// - Throws: As there.
  public static func wsFederation(
    id: String, name: String? = nil, metadata: [UInt8], signedBy signers: [TrustedKey]? = nil,
    entityID: String? = nil, party: PassiveRelyingParty, at now: Instant
  ) throws(TokenError) -> Self {
    let entities = try Self.entities(metadata, signers, entityID, at: now)
    let entity = try only(entities, [.securityTokenService])
    guard let issuer = try PassiveIssuer(entity) else {
      throw missing("SecurityTokenServiceType")
    }
    return Self(
      id: id, name: name ?? issuer.displayName, .wsFederation(party, .fixed(issuer)),
      registry: try registry(entity, [.saml11, .saml20, .jwt], party.realm))
  }

  /// A WS-Federation issuer by metadata at an address; parameters as for
  /// ``saml(id:name:source:transport:copy:service:clock:observer:)``.
  ///
  /// - Throws: As there.
  public static func wsFederation(
    id: String, name: String? = nil, source: MetadataSource, transport: any HTTPTransport,
    copy: (any MetadataCopy)? = nil, party: PassiveRelyingParty,
    clock: any TimeSource = SystemTime(), observer: any ActivityObserver = NoObserver()
  ) throws(TokenError) -> Self {
    let entityID = try only(source)
    let registry = registry(
      source, [.saml11, .saml20, .jwt], party.realm, transport, copy, clock, observer)
    return Self(
      id: id, name: name ?? entityID,
      .wsFederation(party, .metadata(registry, entityID: entityID)), registry: registry)
  }
}
