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
  /// Of that password.
  let guesses = RateLimit(perSecond: 1)

  /// A site.
  ///
  /// - Parameters:
  ///   - store: The namespace that is served.
  ///   - pages: Writes the pages.
  ///   - upstream: Signs people in at real providers, by the names that the namespace gives them.
  ///   - used: Remembers codes and refresh tokens that were used.
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
    used: any ReplayStore = MemoryReplayStore(capacity: 1_000_000), key: [UInt8]? = nil,
    requestsPerSecond: Int? = nil, adminPassword: Secret? = nil, rules: RuleEditor? = nil,
    clock: any TimeSource = SystemTime(),
    observer: any ActivityObserver = NoObserver(), random: RandomOctets = RandomOctets()
  ) throws(TokenError) {
    let issuer = store.current.issuer
    guard let url = try? HTTPURL(issuer), url.path == "/", url.query == nil, issuer.hasSuffix("/"),
      url.origin.scheme == "https" || url.origin.isLoopback
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
    self.key = sealing
    self.clock = clock
    self.observer = observer
    self.random = random
    origin = url.origin
    responder = SiteResponder(pages: pages, isSecure: url.origin.scheme == "https")
    self.adminPassword = adminPassword
    self.rules = rules
    limit = requestsPerSecond.map(RateLimit.init)
  }

  /// The most octets of a posted body: 1 MiB.
  public static let bodyLimit = 1 << 20

  var namespace: ServiceNamespace { store.current }

  /// Answers a request.
  public func respond(to request: SiteRequest) async -> HTTPResponse {
    // Old clients spell the paths as they like.
    let path = String(decoding: request.path.utf8.map(ASCII.lowercased), as: UTF8.self)
    let route = path.utf8.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    if let upstream, upstream.isOwn(request.path) { return await atProvider(upstream, request) }
    switch route {
    case "/wrapv0.9", "/v2/wrapv0.9": return await wrap(request)
    case "/v2/oauth2-13": return await oauth(request)
    case Self.trustRoute: return securityToken(request)
    case "/v2/openid/token": return await openIDToken(request)
    default: break
    }
    do throws(TokenError) {
      guard request.body.count <= Self.bodyLimit else {
        throw TokenError(.inputTooLarge, expected: "at most \(Self.bodyLimit) bytes")
      }
      if route == "/admin" || route.hasPrefix("/admin/") {
        return try admin(String(route.dropFirst(6)), request)
      }
      switch (request.method, route) {
      case ("GET", "/"): return front()
      case ("GET", "/v2/metadata/identityproviders.js"): return try providerFeed(request)
      case ("GET", "/v2/wsfederation"): return try passive(request)
      case ("GET", "/v2/oauth2-13/authorize"): return try delegate(request)
      case ("GET", "/.well-known/openid-configuration"): return openIDConfiguration()
      case ("GET", "/v2/openid/keys"): return openIDKeys()
      case ("GET", "/v2/openid/authorize"): return try authorize(request)
      case ("GET", "/v2/openid/logout"), ("POST", "/v2/openid/logout"):
        return try openIDLogout(request)
      case ("GET", "/v2/saml/sso"), ("POST", "/v2/saml/sso"): return try beginSAML(request)
      case ("GET", "/v2/saml/slo"), ("POST", "/v2/saml/slo"): return try endSAML(request)
      case ("GET", "/v2/saml/metadata"): return try samlMetadata()
      case ("GET", "/v2/sign-in"): return try await signIn(request)
      case ("POST", "/v2/sign-in"): return try await signedIn(request)
      case ("GET", "/v2/continue"): return try await continueUpstream(request)
      case ("GET", "/federationmetadata/2007-06/federationmetadata.xml"): return try metadata()
      case (_, "/v2/metadata/identityproviders.js"), (_, "/v2/wsfederation"),
        (_, "/.well-known/openid-configuration"), (_, "/v2/openid/keys"),
        (_, "/v2/openid/authorize"), (_, "/v2/openid/logout"),
        (_, "/v2/saml/sso"), (_, "/v2/saml/slo"), (_, "/v2/saml/metadata"),
        (_, "/v2/oauth2-13/authorize"), (_, "/v2/sign-in"), (_, "/v2/continue"),
        (_, "/federationmetadata/2007-06/federationmetadata.xml"), (_, "/"):
        throw TokenError(.issuingMethod, found: TokenError.excerpt(request.method))
      default:
        return notFound
      }
    } catch {
      return refusal(error)
    }
  }

  var notFound: HTTPResponse {
    responder.response(404, "text/plain; charset=utf-8", Array("There is nothing here.\n".utf8))
  }

  /// The address of a path.
  func address(_ path: String) -> String { origin.description + path }
}
