import HTTPExchange
import SignIn
import SignInAttack
import TestSupport
import TokenBasics

/// A service in memory, and the driver in front of it.
struct AttackFixture: Sendable {
  typealias Service = @Sendable (WebRequest) async -> HTTPResponse

  static let service = "http://127.0.0.1:8080"
  static let issuer = "http://127.0.0.1:9400"

  let configuration: AttackConfiguration
  let provider: RogueProvider
  let transport: ScriptedTransport
  let clock: AdvancingTime

  /// One pair of keys for all tests: to make one takes a second.
  static let keys = Result { try ProviderKeys(at: AdvancingTime().now) }

  /// A driver; `service` answers what is sent to the service, at any origin. Where `failure` has an error for a request, the
  /// answer does not arrive.
  init(
    _ configuration: AttackConfiguration,
    failure: (@Sendable (WebRequest) -> TokenError?)? = nil, _ service: @escaping Service
  ) throws {
    self.configuration = configuration
    clock = AdvancingTime()
    provider = RogueProvider(configuration, try Self.keys.get())
    transport = ScriptedTransport { (request) throws(TokenError) in
      let asked = Self.webRequest(request)
      let response = await service(asked)
      if let error = failure?(asked) { throw error }
      return response
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
  ///
  /// - Parameter isWhole: Whether it trusts the second provider too, ends sessions for the provider, and reads the provider's
  ///   document again at `/reread`.
  static func site(
    _ name: AttackConfiguration.SignInProtocol, isWhole: Bool = false
  ) throws -> AttackFixture {
    var configuration = try configuration(
      name, start: "/sso/sign-in?return=/sso/account" + (isWhole ? "&provider=test" : ""))
    if isWhole {
      configuration.second = try HTTPURL(
        service + "/sso/sign-in?return=/sso/account&provider=second")
      configuration.rereading = AttackConfiguration.Rereading(
        try HTTPURL(service + "/reread"), seconds: 1)
      switch name {
      case .saml20: configuration.logout = try HTTPURL(service + "/sso/saml/slo")
      case .wsFederation: break
      case .openID: configuration.logout = try HTTPURL(service + "/sso/openid/test/logout")
      }
    }
    let provider = RogueProvider(configuration, try keys.get())
    let clock = AdvancingTime()
    let trusting = TrustingSite(
      name: name, provider: provider, parties: isWhole ? [.first, .second] : [.first], clock: clock)
    let current = Mutexed(try trusting.site())
    return AttackFixture(configuration, provider, clock) { request in
      guard request.path == "/reread" else { return await current.current.respond(to: request) }
      await trusting.reread(current)
      return .of(200)
    }
  }

  private init(
    _ configuration: AttackConfiguration, _ provider: RogueProvider, _ clock: AdvancingTime,
    _ service: @escaping Service
  ) {
    self.configuration = configuration
    self.provider = provider
    self.clock = clock
    transport = ScriptedTransport { (request) throws(TokenError) in
      await service(Self.webRequest(request))
    }
  }

  /// The message of SAML in a form.
  static func message(in form: [UInt8]) -> String? {
    let fields = try? FormReader(form[...]).fields
    return fields?.first { $0.name == "SAMLResponse" }
      .flatMap { try? Base64.decode(Array($0.value.utf8).span) }
      .map { String(decoding: $0, as: UTF8.self) }
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
