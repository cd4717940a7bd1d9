import BrowserExchange
import Octets
import SecurityKeys
public import SignIn
import TokenService

/// The endpoints of Access Control Service for a namespace, without a framework: an adapter hands it requests and sends
/// what it answers.
public struct AccessControlSite: Sendable {
  /// The namespace.
  public let store: NamespaceStore
  /// The last sign-ins.
  public let recent = RecentSignIns()
  /// Where the site is: its origin is the namespace's issuer.
  let origin: HTTPOrigin
  /// Signs people in at real providers; nil without any.
  public let upstream: SignInSite?
  let used: any ReplayStore
  /// Codes, refresh tokens and admin sessions.
  let values: any ValueStore
  let key: SealingKey
  let clock: any TimeSource
  let observer: any ActivityObserver
  let random: RandomOctets
  let responder: SiteResponder
  let limit: RateLimit?
  /// The password of the admin pages; nil for no such pages.
  let adminPassword: Secret?
  /// Changes rules; nil for pages that change nothing.
  let rules: RuleEditor?
  /// Wrong secrets of service identities and clients, and wrong admin passwords.
  let guesses: GuessLimit
  let sweeps: Occasion

  /// A site.
  ///
  /// - Parameters:
  ///   - store: The namespace that is served.
  ///   - pages: Writes the pages.
  ///   - upstream: Signs people in at real providers, by the names that the namespace gives them.
  ///   - used: Remembers what is good for once and was used.
  ///   - values: Keeps codes, refresh tokens and admin sessions.
  ///   - key: 32 octets that seal codes and forms; nil for random ones, which end with the process.
  ///   - requestsPerSecond: The most requests for tokens; nil for no limit.
  ///   - adminPassword: Opens `/admin`; nil for no admin pages.
  ///   - rules: Lets the admin pages change rules; nil for pages that change nothing.
  ///   - clock: The clock; another one in tests.
  ///   - observer: Hears of what happens, for logs, metrics and traces.
  ///   - random: The source of random octets; another one in tests alone.
  /// - Throws: `signin.configuration` for an issuer that is no origin with a `/`, neither https nor loopback, or
  ///   for a key of another length.
  public init(
    _ store: NamespaceStore, pages: any PageRenderer, upstream: SignInSite? = nil,
    used: any ReplayStore = MemoryReplayStore(capacity: 1_000_000),
    values: any ValueStore = MemoryValueStore(), key: [UInt8]? = nil,
    requestsPerSecond: Int? = nil, adminPassword: Secret? = nil, rules: RuleEditor? = nil,
    clock: any TimeSource = SystemTime(), observer: any ActivityObserver = NoObserver(),
    random: RandomOctets = RandomOctets()
  ) throws(TokenError) {
    try self.init(
      store, pages: pages, upstream: upstream, used: used, values: values, key: key,
      requestsPerSecond: requestsPerSecond, adminPassword: adminPassword, rules: rules,
      clock: clock, uptime: .system, observer: observer, random: random)
  }

  /// A site whose limits are measured with another clock, for tests.
  package init(
    _ store: NamespaceStore, pages: any PageRenderer, upstream: SignInSite?,
    used: any ReplayStore, values: any ValueStore, key: [UInt8]?, requestsPerSecond: Int?,
    adminPassword: Secret?, rules: RuleEditor?, clock: any TimeSource, uptime: Uptime,
    observer: any ActivityObserver, random: RandomOctets
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
    self.store = store
    self.upstream = upstream
    self.used = used
    self.values = values
    self.key = sealing
    self.clock = clock
    self.observer = observer
    self.random = random
    origin = url.origin
    responder = SiteResponder(pages: pages, isSecure: url.origin.scheme == "https")
    self.adminPassword = adminPassword
    self.rules = rules
    limit = requestsPerSecond.map { RateLimit(perSecond: $0, uptime) }
    guesses = GuessLimit(uptime)
    sweeps = Occasion(uptime, every: .seconds(600))
  }

  /// The most octets of a posted body: 1 MiB.
  public static let bodyLimit = 1 << 20

  var namespace: ServiceNamespace { store.current }

  /// Answers a request.
  public func respond(to request: SiteRequest) async -> HTTPResponse {
    // Old clients spell the paths as they like.
    let path = String(decoding: request.path.utf8.map(ASCII.lowercased), as: UTF8.self)
    let route = path.utf8.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    var response = await answer(request, route)
    // RFC 9110, 15.5.2 and 15.5.6.
    if response.status == 401, response.fields.values("WWW-Authenticate").isEmpty {
      try? response.fields.append("WWW-Authenticate", Self.challenge(route))
    }
    if response.status == 405, response.fields.values("Allow").isEmpty {
      try? response.fields.append("Allow", Self.methods(route).joined(separator: ", "))
    }
    return response
  }

  private func answer(_ request: SiteRequest, _ route: String) async -> HTTPResponse {
    if let upstream, upstream.isOwn(request.path) { return await atProvider(upstream, request) }
    switch route {
    case "/wrapv0.9", "/v2/wrapv0.9": return await wrap(request)
    case "/v2/oauth2-13": return await oauth(request)
    case Self.trustRoute: return await securityToken(request)
    case "/v2/openid/token": return await openIDToken(request)
    default: break
    }
    do throws(TokenError) {
      guard request.body.count <= Self.bodyLimit else {
        throw TokenError(.inputTooLarge, expected: "at most \(Self.bodyLimit) bytes")
      }
      if route == "/admin" || route.hasPrefix("/admin/") {
        return try await admin(String(route.dropFirst(6)), request)
      }
      let methods = Self.methods(route)
      guard !methods.isEmpty else { return notFound }
      guard methods.contains(request.method) else {
        throw TokenError(.issuingMethod, found: TokenError.excerpt(request.method))
      }
      return try await page(route, request)
    } catch {
      return refusal(error)
    }
  }

  private func page(
    _ route: String, _ request: SiteRequest
  ) async throws(TokenError) -> HTTPResponse {
    switch route {
    case "/": return front()
    case "/v2/metadata/identityproviders.js": return try providerFeed(request)
    case "/v2/wsfederation": return try await passive(request)
    case "/v2/oauth2-13/authorize": return try delegate(request)
    case "/.well-known/openid-configuration": return openIDConfiguration()
    case "/v2/openid/keys": return openIDKeys()
    case "/v2/openid/authorize": return try authorize(request)
    case "/v2/openid/logout": return try await openIDLogout(request)
    case "/v2/saml/sso": return try beginSAML(request)
    case "/v2/saml/slo": return try await endSAML(request)
    case "/v2/saml/metadata": return try samlMetadata()
    case "/v2/sign-in":
      return request.method == "GET"
        ? try await signIn(request) : try await signedIn(request)
    case "/v2/continue": return try await continueUpstream(request)
    case "/federationmetadata/2007-06/federationmetadata.xml": return try metadata()
    default: return notFound
    }
  }

  /// The methods of a route; none for what is no route.
  private static func methods(_ route: String) -> [String] {
    switch route {
    case "/", "/v2/metadata/identityproviders.js", "/v2/wsfederation", "/v2/oauth2-13/authorize",
      "/.well-known/openid-configuration", "/v2/openid/keys", "/v2/saml/metadata", "/v2/continue",
      "/federationmetadata/2007-06/federationmetadata.xml", "/admin":
      ["GET"]
    case "/v2/openid/authorize", "/v2/openid/logout", "/v2/saml/sso", "/v2/saml/slo",
      "/v2/sign-in", "/admin/rules":
      ["GET", "POST"]
    case "/wrapv0.9", "/v2/wrapv0.9", "/v2/oauth2-13", "/v2/openid/token", trustRoute:
      ["POST"]
    default: route.hasPrefix("/admin/") ? ["POST"] : []
    }
  }

  /// How a route is authenticated at.
  private static func challenge(_ route: String) -> String {
    switch route {
    case "/v2/openid/token": "Basic realm=\"acs\", charset=\"UTF-8\""
    case "/wrapv0.9", "/v2/wrapv0.9": "WRAP"
    default: "Bearer realm=\"acs\""
    }
  }

  var notFound: HTTPResponse {
    responder.response(404, "text/plain; charset=utf-8", Array("There is nothing here.\n".utf8))
  }

  /// The address of a path.
  func address(_ path: String) -> String { origin.description + path }
}
