import Octets
public import SingleSignOn

/// The sign-in of a service, without a framework: routes, cookies, sessions and pages. An adapter hands it requests
/// and sends what it answers.
public struct SignInSite: Sendable {
  /// Where the site is and how long sessions last.
  public let settings: SiteSettings
  /// The providers that people choose from.
  public let providers: [SignInProvider]
  /// The sessions.
  public let sessions: any SessionStore
  /// The identifier of each provider and the name of its issuer: a session of another pair is none.
  private let issuers: [(provider: String, issuer: String)]
  let used: any ReplayStore
  let sealer: SignInSealer
  let pages: any PageRenderer
  let clock: any TimeSource
  let observer: any ActivityObserver
  let random: RandomOctets

  /// A site.
  ///
  /// - Parameters:
  ///   - settings: The origin of the service, and its paths.
  ///   - providers: The identity providers that people can choose.
  ///   - pages: Writes the pages.
  ///   - sessions: Where sessions are stored; several instances share one.
  ///   - used: Remembers finished sign-ins and used tokens; several instances share one.
  ///   - keys: Keys of 32 octets for cookies; the first seals, all open. Nil for a random one.
  ///   - clock: The clock; another one in tests.
  ///   - observer: Hears of what happens, for logs, metrics and traces.
  ///   - random: The source of random octets; another one in tests alone.
  /// - Throws: `signin.configuration` for no provider, two of one name, two OpenID providers with one redirect
  ///   address, two SAML providers of one entity identifier, or keys of another length.
  public init(
    _ settings: SiteSettings, providers: [SignInProvider], pages: any PageRenderer,
    sessions: any SessionStore = MemorySessionStore(),
    used: any ReplayStore = MemoryReplayStore(capacity: 1_000_000), keys: [[UInt8]]? = nil,
    clock: any TimeSource = SystemTime(), observer: any ActivityObserver = NoObserver(),
    random: RandomOctets = RandomOctets()
  ) throws(TokenError) {
    guard !providers.isEmpty, Set(providers.map { Array($0.id.utf8) }).count == providers.count
    else {
      throw TokenError(
        .signInConfiguration, node: "providers", expected: "providers with names of their own")
    }
    try Self.check(providers, settings)
    self.settings = settings
    self.providers = providers
    issuers = providers.map { ($0.id, $0.issuer) }
    self.pages = pages
    self.sessions = sessions
    self.used = used
    self.clock = clock
    self.observer = observer
    self.random = random
    sealer = try SignInSealer(origin: settings.origin, keys: keys)
  }

  /// Whether a path is one of the site's.
  public func isOwn(_ path: String) -> Bool { path.hasPrefix(settings.prefix) }

  /// Answers a request below the prefix; any other with 404.
  public func respond(to request: SiteRequest) async -> HTTPResponse {
    do throws(TokenError) {
      return try await answer(to: request)
    } catch {
      return await refusal(error, request)
    }
  }

  /// As ``respond(to:)``, but what is refused is thrown, for a site that has its own way to say so.
  package func answer(to request: SiteRequest) async throws(TokenError) -> HTTPResponse {
    let route = isOwn(request.path) ? String(request.path.dropFirst(settings.prefix.count)) : ""
    guard request.body.count <= settings.bodyLimit else {
      throw TokenError(.inputTooLarge, expected: "at most \(settings.bodyLimit) bytes")
    }
    if let (provider, leaf) = openIDRoute(route) {
      return try await respond(to: request, at: provider, leaf)
    }
    switch (request.method, route) {
    case ("GET", "sign-in"):
      return try await during("signin.begin", request, beginSignIn)
    // By GET an artifact alone.
    case ("POST", "saml/acs"), ("GET", "saml/acs"):
      return try await during("signin.saml", request, finishSAML)
    case ("GET", "saml/slo"), ("POST", "saml/slo"):
      return try await during("signout.saml", request, logout)
    case ("GET", "saml/metadata"): return try metadata()
    case ("GET", "wsfed"), ("POST", "wsfed"):
      return try await during("signin.wsfederation", request, receivePassive)
    case ("GET", "wsfed/metadata"): return try passiveMetadata()
    case ("GET", "discovery"): return try await discover(request)
    case ("GET", "finished"): return try await showFinished(request)
    case ("GET", "sign-out"): return try await confirmSignOut(request)
    case ("POST", "sign-out"):
      return try await during("signout.begin", request, signOut)
    case ("GET", "claims"): return try await claims(request)
    case (_, "sign-in"), (_, "saml/acs"), (_, "saml/slo"), (_, "saml/metadata"), (_, "wsfed"),
      (_, "wsfed/metadata"), (_, "discovery"),
      (_, "finished"), (_, "sign-out"), (_, "claims"):
      return response(405, "text/plain; charset=utf-8", Array("Not by this method.\n".utf8))
    default:
      return response(404, "text/plain; charset=utf-8", Array("There is nothing here.\n".utf8))
    }
  }

  /// Runs a route as an activity: its time and outcome are measured, and it is a span of a trace.
  func during(
    _ name: StaticString, _ request: SiteRequest,
    _ route: @escaping @Sendable (SiteRequest) async throws(TokenError) -> HTTPResponse
  ) async throws(TokenError) -> HTTPResponse {
    try await observer.during(Activity(name)) { () async throws(TokenError) in
      try await route(request)
    }
  }

  /// The trust of a provider right now.
  func trust(_ provider: SignInProvider) async throws(TokenError) -> Trust {
    let now = clock.now
    if let trust = provider.registry.readyTrust(at: now) { return trust }
    return try await provider.registry.trust(at: now)
  }

  /// The provider of that identifier; nil for one that is not configured.
  package func provider(_ id: String) -> SignInProvider? {
    providers.first { $0.id.hasSameBytes(as: id) }
  }

  /// Whether a session began at a provider that is configured still, and that has the same issuer still.
  func isConfigured(_ session: SignedInSession) -> Bool {
    issuers.contains { provider, issuer in
      provider.hasSameBytes(as: session.provider)
        && issuer.hasSameBytes(as: session.principal.issuer)
    }
  }

  private static func check(
    _ providers: [SignInProvider], _ settings: SiteSettings
  ) throws(TokenError) {
    func refuse(_ provider: SignInProvider, _ expected: String, _ found: String) -> TokenError {
      TokenError(
        .signInConfiguration, node: "provider \(TokenError.excerpt(provider.id))",
        expected: expected, found: TokenError.excerpt(found))
    }
    var entities: Set<[UInt8]> = []
    let openID = providers.count { if case .openID = $0.exchange { true } else { false } }
    for provider in providers {
      switch provider.exchange {
      case .saml(_, let source):
        // A logout request and an unsolicited answer name no more than the issuer.
        guard entities.insert(Array(source.entityID.utf8)).inserted else {
          throw refuse(provider, "an entity identifier of its own", source.entityID)
        }
      case .wsFederation: break
      case .openID(let party):
        guard HTTPURL.percentEncoded(provider.id) == provider.id else {
          throw refuse(provider, "letters, digits, '-', '.', '_' and '~'", provider.id)
        }
        // A code of one provider never goes to another (RFC 9700, 4.4.2).
        let own = try settings.openIDCallback(provider.id).text
        let address = party.configuration.redirectURI.text
        guard openID == 1 || address.hasSameBytes(as: own) else {
          throw refuse(provider, "the redirect address \(own)", address)
        }
      }
    }
  }
}
