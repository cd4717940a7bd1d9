import HTTPExchange
import Octets

/// The sign-in of a service, without a framework: routes, cookies, sessions and pages. An adapter hands it requests
/// and sends what it answers.
public struct SignInSite: Sendable {
  /// Where the site is and how long sessions last.
  public let settings: SiteSettings
  /// The providers that people choose from.
  public let providers: [SignInProvider]
  /// The sessions.
  public let sessions: any SessionStore
  /// What a sign-in for the sake of a page asks of the provider; by default nothing.
  package var demands: @Sendable (ReturnPath) -> SignInDemands = { _ in SignInDemands() }
  /// Whether the person of a session is who signs in at the provider of that identifier.
  package var isSamePerson: @Sendable (SignedInSession, FederatedPrincipal, String) -> Bool = {
    session, principal, provider in
    session.provider.hasSameBytes(as: provider)
      && session.principal.issuer.hasSameBytes(as: principal.issuer)
      && session.principal.subject.hasSameBytes(as: principal.subject)
  }
  /// The claims that rules, headers and the like name at the provider of an identifier, which are all that a session keeps
  /// of a person with very many claims; nil keeps every claim.
  package var namedClaims: (@Sendable (String) -> [NamedClaim])?
  /// Applications on other hosts, which get sessions from this site; nil for none.
  package var applications: ApplicationSessions?
  /// Passes sign-outs of providers on; nil where they end sessions of the site alone.
  package var relaySignOut: ProviderSignOut.Relay?
  /// The identifier of each provider and the name of its issuer: a session of another pair is not accepted.
  private let issuers: [(provider: String, issuer: String)]
  private let routes: RouteTable<Handler>
  /// The protocols of the providers, each once.
  let methods: [any SignInMethod.Type]
  let used: any ReplayStore
  let sealer: SignInSealer
  let pages: any PageRenderer
  package let clock: any TimeSource
  let observer: any ActivityObserver
  let random: RandomSource
  let uses = SessionUses()

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
    random: RandomSource = RandomSource()
  ) throws(TokenError) {
    guard !providers.isEmpty || settings.isForTokensAlone,
      Set(providers.map { Array($0.id.utf8) }).count == providers.count
    else {
      throw TokenError(
        .signInConfiguration, node: "providers", expected: "providers with names of their own")
    }
    methods = Self.methods(providers)
    routes = try Self.routes(providers, methods, settings)
    self.settings = settings
    self.providers = providers
    issuers = providers.flatMap { provider in
      ([provider.id] + provider.formerIDs).map { ($0, provider.issuer) }
    }
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
  public func respond(to request: WebRequest) async -> HTTPResponse {
    await request.traced {
      do throws(TokenError) {
        return try await answer(to: request)
      } catch {
        return await refusal(error, request)
      }
    }
  }

  /// As ``respond(to:)``, but what is refused is thrown, for a site that has its own way to say so.
  package func answer(to request: WebRequest) async throws(TokenError) -> HTTPResponse {
    // A route begins with no slash.
    let route = isOwn(request.path) ? String(request.path.dropFirst(settings.prefix.count)) : "/"
    guard request.body.count <= settings.bodyLimit else {
      throw TokenError(.inputTooLarge, expected: "at most \(settings.bodyLimit) bytes")
    }
    switch routes.match(request.method, route) {
    case .found(let handler):
      guard let activity = handler.activity else { return try await handler.answer(self, request) }
      return try await observer.during(Activity(activity, side: .server)) {
        () async throws(TokenError) in
        try await handler.answer(self, request)
      }
    case .otherMethod(_, let allowed): return responder.otherMethod(allowed)
    case .nothing: return responder.nothing(for: request)
    }
  }

  /// The provider of that identifier, or that had it earlier; nil for one that is not configured.
  package func provider(_ id: String) -> SignInProvider? {
    providers.first { $0.id.hasSameBytes(as: id) } ?? providers.first { $0.answers(to: id) }
  }

  /// Further names of claims at the provider of that identifier. Every check asks, and a provider is a large value to copy.
  package func claimSources(at id: String) -> ClaimSources {
    for index in providers.indices where providers[index].id.hasSameBytes(as: id) {
      return providers[index].claimSources
    }
    return provider(id)?.claimSources ?? ClaimSources()
  }

  /// Whether a session began at a provider that is configured still, and that has the same issuer still.
  func isConfigured(_ session: SignedInSession) -> Bool {
    issuers.contains { provider, issuer in
      provider.hasSameBytes(as: session.provider)
        && issuer.hasSameBytes(as: session.principal.issuer)
    }
  }
}
