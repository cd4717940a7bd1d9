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
  /// - Throws: `signin.configuration` for no provider, two of one name, or keys of another length.
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
    self.settings = settings
    self.providers = providers
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
    case ("GET", "openid/callback"), ("POST", "openid/callback"):
      return try await during("signin.openid", request, finishOpenID)
    case ("POST", "openid/logout"): return try await endOpenID(request)
    case ("GET", "sign-out"): return try await confirmSignOut(request)
    case ("POST", "sign-out"):
      return try await during("signout.begin", request, signOut)
    case ("GET", "claims"): return try await claims(request)
    case (_, "sign-in"), (_, "saml/acs"), (_, "saml/slo"), (_, "saml/metadata"), (_, "wsfed"),
      (_, "wsfed/metadata"), (_, "discovery"),
      (_, "openid/callback"), (_, "openid/logout"), (_, "sign-out"), (_, "claims"):
      return response(405, "text/plain; charset=utf-8", Array("Not by this method.\n".utf8))
    default:
      return response(404, "text/plain; charset=utf-8", Array("There is nothing here.\n".utf8))
    }
  }

  /// Runs a route as an activity: its time and outcome are measured, and it is a span of a trace.
  private func during(
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

  /// The provider whose tokens name that issuer, by the exchange that `isOne` picks.
  func provider(
    issuer: String, _ issuerOf: (SignInProvider.Exchange) -> String?
  ) throws(TokenError) -> SignInProvider {
    let provider = providers.first { provider in
      issuerOf(provider.exchange)?.hasSameBytes(as: issuer) ?? false
    }
    guard let provider else {
      throw TokenError(.signInProvider, found: TokenError.excerpt(issuer))
    }
    return provider
  }
}
