import HTTPExchange
import SignIn
import SignInAttack
import TestSupport

/// A service in memory, and the driver in front of it.
struct AttackFixture: Sendable {
  typealias Service = @Sendable (WebRequest) async -> HTTPResponse

  static let service = "http://127.0.0.1:8080"
  static let issuer = "http://127.0.0.1:9400"

  let configuration: AttackConfiguration
  let provider: RogueProvider
  let transport: ScriptedTransport
  let clock = AdvancingTime()

  /// One pair of keys for all tests: to make one takes a second.
  static let keys = Result { try ProviderKeys(at: AdvancingTime().now) }

  /// A driver; `service` answers what is sent to the service, at any origin.
  init(_ configuration: AttackConfiguration, _ service: @escaping Service) throws {
    self.configuration = configuration
    provider = RogueProvider(configuration, try Self.keys.get())
    transport = ScriptedTransport { (request) throws(TokenError) in
      await service(Self.webRequest(request))
    }
  }

  var run: AttackRun { AttackRun(provider, transport, clock) }

  func browser() -> AttackBrowser { AttackBrowser(configuration, transport, clock) }

  /// A file, with members changed or, by nil, left out.
  static func configuration(
    _ name: AttackConfiguration.SignInProtocol = .saml20,
    start: String = "/sso/sign-in?return=/sso/account", probe: String = "/sso/account",
    contains: String? = "You are PERSON."
  ) throws -> AttackConfiguration {
    AttackConfiguration(
      name, listen: HostPort(host: "127.0.0.1", port: 9400), origin: try HTTPURL(issuer + "/"),
      start: try HTTPURL(service + start),
      probe: AttackConfiguration.Probe(try HTTPURL(service + probe), contains: contains),
      person: AttackConfiguration.Person("alice"), attacker: "mallory")
  }

  static func webRequest(_ request: HTTPRequest) -> WebRequest {
    WebRequest(
      method: request.method.rawValue, path: request.url.path, query: request.url.query,
      fields: request.fields, body: request.body)
  }

  /// The sign-in site of this package, which trusts the provider.
  static func site(_ name: AttackConfiguration.SignInProtocol) throws -> AttackFixture {
    let clock = AdvancingTime()
    let configuration = try configuration(name)
    let provider = RogueProvider(configuration, try keys.get())
    let settings = try SiteSettings(origin: HTTPURL(service + "/").origin)
    let trusted: SignInProvider
    switch name {
    case .saml20:
      trusted = try .saml(
        id: "test", metadata: provider.respond(to: .get("/metadata"), at: clock.now).body,
        service: ServiceProvider(
          entityID: service + "/saml", consumer: settings.address("saml/acs")), at: clock.now)
    case .wsFederation:
      trusted = try .wsFederation(
        id: "test",
        metadata: provider.respond(
          to: .get("/FederationMetadata/2007-06/FederationMetadata.xml"), at: clock.now
        ).body, party: PassiveRelyingParty(realm: "urn:app", reply: settings.address("wsfed")),
        at: clock.now)
    case .openID:
      let back = ScriptedTransport { (request) throws(TokenError) in
        provider.respond(to: webRequest(request), at: clock.now)
      }
      let registry = OpenIDRegistry(
        try OpenIDSource(issuer: issuer), transport: back, clock: clock, jitter: { 0 })
      trusted = SignInProvider(
        id: "test", name: "Test",
        openID: try OpenIDRelyingParty(
          OpenIDClient(
            clientID: "app", authentication: .none, redirectURI: settings.openIDCallback("test")),
          provider: registry, transport: back))
    }
    let site = try SignInSite(settings, providers: [trusted], pages: FormPages(), clock: clock)
    return try AttackFixture(configuration, provider: provider) { await site.respond(to: $0) }
  }

  private init(
    _ configuration: AttackConfiguration, provider: RogueProvider, _ service: @escaping Service
  ) throws {
    self.configuration = configuration
    self.provider = provider
    transport = ScriptedTransport { (request) throws(TokenError) in
      await service(Self.webRequest(request))
    }
  }

  /// The variants with these identifiers.
  func variants(_ ids: [String]) throws -> [AttackVariant] {
    let all = try VariantList.all(of: provider)
    return ids.compactMap { id in all.first { $0.id == id } }
  }
}

extension WebRequest {
  static func get(_ path: String) -> WebRequest { WebRequest(method: "GET", path: path) }
}

/// Pages of a site: a form is one, and of other pages their heading.
struct FormPages: PageRenderer {
  func html(_ page: SitePage) -> (html: String, policy: String) {
    switch page {
    case .form(let address, let fields):
      let inputs = fields.map { "<input type=hidden name=\"\($0.name)\" value=\"\($0.value)\">" }
      return ("<form method=post action=\"\(address.text)\">\(inputs.joined())</form>", "")
    case .content(let content): return ("<h1>\(content.heading).</h1>", "")
    default: return ("<p>another page</p>", "")
    }
  }
}
