import HTTPExchange
import Octets
import SecurityKeys
public import SignIn

/// The endpoints of Access Control Service for a namespace, without a framework: an adapter hands it requests and sends
/// what it answers.
public struct AccessControlSite: Sendable {
  let service: IssuingService
  private let providers: ProviderEndpoint
  /// The site of real providers, whose sign-outs are passed on; nil without any.
  private let arrivals: SignInSite?
  private let routes: RouteTable<Route.Handler>
  /// The admin pages, where they have an address of their own.
  private let adminRoutes: RouteTable<Route.Handler>

  /// The namespace.
  public var store: NamespaceStore { service.store }
  /// The last sign-ins.
  public var recent: RecentSignIns { service.recent }
  /// Signs people in at real providers; nil without any.
  public var upstream: SignInSite? { service.upstream }

  /// A site.
  ///
  /// - Parameters:
  ///   - store: The namespace that is served.
  ///   - pages: Writes the pages.
  ///   - upstream: Signs people in at real providers, by the names that the namespace gives them.
  ///   - used: Remembers the single-use values that were used.
  ///   - values: Keeps codes, refresh tokens and admin sessions.
  ///   - key: 32 octets that seal codes and forms; nil for random ones, which end with the process.
  ///   - rates: How many requests for tokens are taken.
  ///   - registration: How clients that no file names may describe themselves; nil for none.
  ///   - transport: Tells relying parties of sign-outs; nil tells none.
  ///   - adminPassword: Opens `/admin`; nil for no admin pages.
  ///   - admins: Who may open `/admin` in place of those who know that password.
  ///   - adminOrigin: Where ``respondToAdmin(_:)`` is, if the admin pages are there alone.
  ///   - rules: Lets the admin pages change rules; nil for pages that change nothing.
  ///   - former: The site in whose place it is: what was counted against limits there counts here.
  ///   - clock: The clock; another one in tests.
  ///   - observer: Hears of what happens, for logs, metrics and traces.
  ///   - random: The source of random octets; another one in tests alone.
  /// - Throws: `signin.configuration` for an issuer that is no origin with a `/`, neither https nor loopback, or
  ///   for a key of another length.
  public init(
    _ store: NamespaceStore, pages: any PageRenderer, upstream: SignInSite? = nil,
    used: any ReplayStore = MemoryReplayStore(capacity: 1_000_000),
    values: any ValueStore = MemoryValueStore(), key: [UInt8]? = nil,
    rates: RequestRates = RequestRates(), registration: ClientRegistration? = nil,
    transport: (any HTTPTransport)? = nil, adminPassword: Secret? = nil, admins: [Admin] = [],
    adminOrigin: HTTPOrigin? = nil,
    rules: RuleEditor? = nil, replacing former: AccessControlSite? = nil,
    clock: any TimeSource = SystemTime(), observer: any ActivityObserver = NoObserver(),
    random: RandomSource = RandomSource()
  ) throws(TokenError) {
    try self.init(
      store, pages: pages, upstream: upstream, used: used, values: values, key: key,
      rates: rates, registration: registration, transport: transport,
      adminPassword: adminPassword,
      admins: admins, adminOrigin: adminOrigin, rules: rules, replacing: former, clock: clock,
      uptime: .system, observer: observer, random: random)
  }

  /// A site whose limits are measured with another clock, for tests.
  package init(
    _ store: NamespaceStore, pages: any PageRenderer, upstream: SignInSite?,
    used: any ReplayStore, values: any ValueStore, key: [UInt8]?, rates: RequestRates,
    registration: ClientRegistration? = nil, transport: (any HTTPTransport)? = nil,
    adminPassword: Secret?, admins: [Admin] = [],
    adminOrigin: HTTPOrigin? = nil, rules: RuleEditor?, replacing former: AccessControlSite? = nil,
    clock: any TimeSource, uptime: Uptime,
    observer: any ActivityObserver, random: RandomSource
  ) throws(TokenError) {
    let issuer = store.current.issuer
    guard let url = try? HTTPURL(issuer), url.path == "/", url.query == nil, issuer.hasSuffix("/")
    else {
      throw TokenError(
        .signInConfiguration, node: "issuer", expected: "https://host/ or http on loopback",
        found: TokenError.excerpt(issuer))
    }
    guard let sealing = SealingKey(key ?? SystemRandom.octets(SealingKey.length)) else {
      throw TokenError(
        .signInConfiguration, node: "key", expected: "\(SealingKey.length) octets")
    }
    service = IssuingService(
      store: store, recent: former?.recent ?? RecentSignIns(), origin: url.origin,
      responder: SiteResponder(pages: pages, isSecure: url.origin.scheme == "https"),
      upstream: upstream,
      grants: Grants(
        in: values, used: used, key: sealing, clock: clock, random: random, observer: observer,
        sweeps: SweepTimer(uptime, every: .seconds(600))
      ) { now async throws(TokenError) in
        try await upstream?.sessions.sweep(at: now, idle: upstream?.settings.idle ?? 0)
      },
      key: sealing,
      register: registration.map {
        ClientRegister($0, isOnLoopback: url.origin.isLoopback, uptime)
      }, transport: transport,
      limits: former?.service.limits.with(rates, uptime) ?? RequestLimits(rates, uptime),
      guesses: former?.service.guesses ?? GuessLimit(uptime), clock: clock, observer: observer,
      random: random)
    arrivals = Self.relaying(upstream, to: service)
    var endpoints = Self.protocols(service)
    providers = ProviderEndpoint(
      service, answering: endpoints.compactMap { $0 as? any SignInEndpoint })
    endpoints += [FrontPage(service: service), providers]
    if let register = service.register {
      endpoints.append(RegistrationEndpoint(service: service, register: register))
    }
    var elsewhere: [any Endpoint] = []
    if let adminPassword {
      let service = service
      let admin = AdminEndpoint(
        service: adminOrigin.map { service.moved(to: $0) } ?? service, password: adminPassword,
        admins: admins, rules: rules)
      if adminOrigin == nil { endpoints.append(admin) } else { elsewhere.append(admin) }
    }
    routes = Self.table(endpoints)
    adminRoutes = Self.table(elsewhere)
  }

  private static func table(_ endpoints: [any Endpoint]) -> RouteTable<Route.Handler> {
    var routes = RouteTable<Route.Handler>()
    for route in endpoints.flatMap(\.routes) {
      for (method, handler) in route.handlers { routes.add([method], route.path, handler) }
    }
    return routes
  }

  /// The site of real providers, which passes their sign-outs on to relying parties.
  private static func relaying(_ site: SignInSite?, to service: IssuingService) -> SignInSite? {
    guard let plain = site else { return nil }
    var site = plain
    site.relaySignOut = { (event, request) async throws(TokenError) in
      try await service.relay(event, request, at: plain)
    }
    return site
  }

  /// The protocols of the service.
  private static func protocols(_ service: IssuingService) -> [any Endpoint] {
    [
      PassiveEndpoint(service: service), SAMLEndpoint(service: service),
      OpenIDEndpoint(service: service), OAuthEndpoint(service: service),
      WRAPEndpoint(service: service), WSTrustEndpoint(service: service),
      SignOutEndpoint(service: service),
    ]
  }

  /// The most octets of a posted body: 1 MiB.
  public static let bodyLimit = 1 << 20

  /// A context as it travels, for tests.
  package func seal(_ context: SignInContext, for browser: String?) -> String {
    service.seal(context, for: browser)
  }

  /// Answers a request.
  public func respond(to request: WebRequest) async -> HTTPResponse {
    await RequestRecord.$current.withValue(RequestRecord(service.traceID(), from: request.peer)) {
      await request.traced { await answer(request) }
    }
  }

  private func answer(_ request: WebRequest) async -> HTTPResponse {
    var request = request
    // The server sends the fields and leaves the content out (RFC 9110, 9.3.2).
    if request.method == "HEAD", Self.isDocument(request.path) { request.method = "GET" }
    if let arrivals, arrivals.isOwn(request.path) {
      return Route.challenging(await providers.atProvider(arrivals, request))
    }
    if let preflight = try? await CrossOrigin.preflight(request, to: service) { return preflight }
    return await CrossOrigin.opening(
      await answer(request, by: routes), to: request, of: service)
  }

  /// Answers a request at the address of the admin pages; 404 for every other path.
  public func respondToAdmin(_ request: WebRequest) async -> HTTPResponse {
    await RequestRecord.$current.withValue(RequestRecord(service.traceID(), from: request.peer)) {
      await request.traced { await answer(request, by: adminRoutes) }
    }
  }

  /// Whether reading an address changes nothing: a HEAD there uses up no code, no sign-in and no message of another party.
  private static func isDocument(_ path: String) -> Bool {
    documents.contains(Route.plain(path))
  }

  private static let documents: Set<String> = [
    "/", "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server",
    "/v2/openid/keys", "/v2/openid/userinfo", "/v2/saml/metadata",
    "/federationmetadata/2007-06/federationmetadata.xml", "/v2/metadata/identityproviders.js",
  ]

  private func answer(
    _ request: WebRequest, by routes: RouteTable<Route.Handler>
  ) async -> HTTPResponse {
    switch routes.match(request.method, Route.plain(request.path)) {
    case .nothing: return service.responder.nothing(for: request)
    case .found(let handler):
      return await respond(handler, request.peer) { () async throws(TokenError) in
        guard request.body.count <= Self.bodyLimit else {
          throw TokenError(.inputTooLarge, expected: "at most \(Self.bodyLimit) bytes")
        }
        return try await handler.answer(request)
      }
    case .otherMethod(let handler, let allowed):
      var response = await respond(handler, request.peer) { () throws(TokenError) in
        throw TokenError(.issuingMethod, found: TokenError.excerpt(request.method))
      }
      // RFC 9110, 15.5.6; a limit that was reached answers otherwise.
      if response.status == 405 {
        let allowed = allowed + (Self.isDocument(request.path) ? ["HEAD"] : [])
        try? response.fields.append("Allow", allowed.joined(separator: ", "))
      }
      return response
    }
  }

  /// What `answer` returns, or its refusal as the address has it.
  private func respond(
    _ handler: Route.Handler, _ peer: String?,
    _ answer: () async throws(TokenError) -> HTTPResponse
  ) async -> HTTPResponse {
    do throws(TokenError) {
      if handler.programs != nil { try service.limits.admit(from: peer) }
      return handler.challenging(try await answer())
    } catch {
      var response = handler.programs?.refuse(error) ?? service.refusal(error)
      // RFC 9110, 15.5.14; RFC 9126, 2.3.
      if error.code == .inputTooLarge { response.status = 413 }
      return handler.challenging(response)
    }
  }
}

/// What the service is, for those who open its address.
struct FrontPage: Endpoint {
  let service: IssuingService

  var routes: [Route] { [Route("/", get: show)] }

  private func show(_ request: WebRequest) -> HTTPResponse {
    let namespace = service.namespace
    var content = PageContent(
      "Access Control Service",
      notes: ["Issues tokens for the relying parties below. Choose one to sign in to it."])
    content.tables = [
      PageContent.Table(
        "Addresses", heads: ["For", "Address"],
        rows: [
          ["WS-Federation", service.address("/v2/wsfederation")],
          ["Metadata", service.address("/FederationMetadata/2007-06/FederationMetadata.xml")],
          ["Home realm discovery", service.address("/v2/metadata/IdentityProviders.js")],
          ["WRAP", service.address("/WRAPv0.9")],
          ["OAuth 2.0 draft 13", service.address("/v2/OAuth2-13")],
          ["WS-Trust", service.address(WSTrustEndpoint.path)],
        ], isFolded: true)
    ]
    content.links = namespace.relyingParties.filter { !$0.returnAddresses.isEmpty }.map { party in
      PageContent.Link(
        namespace.label(of: party),
        to: "/v2/wsfederation?wa=wsignin1.0&wtrealm=" + HTTPURL.percentEncoded(party.realm))
    }
    return service.responder.page(200, .content(content))
  }
}

extension ServiceNamespace {
  /// The name of a relying party, with its format where another one has that name, too.
  func label(of party: RelyingParty) -> String {
    let same = relyingParties.filter { $0.name.hasSameBytes(as: party.name) }
    return same.count > 1 ? "\(party.name), \(ServiceFile.name(of: party.format))" : party.name
  }
}
