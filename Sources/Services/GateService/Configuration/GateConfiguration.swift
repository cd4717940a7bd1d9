public import Federation
public import HTTPExchange
public import SignIn

/// What the gate's file says. Files that it names are not opened here.
public struct GateConfiguration: Sendable {
  /// Where sessions are kept.
  public enum Store: Hashable, Sendable {
    /// In the process.
    case memory
    /// In a SQLite file.
    case sqlite(path: String)
    /// In a server that several gates share.
    case shared(SharedStoreConfiguration)
  }

  /// The public origin.
  public internal(set) var origin: HTTPOrigin
  /// The name on top of the pages; the host, where the file says none.
  public let name: String
  /// The file of the logo on top of the pages; nil for none.
  public let logo: String?
  /// Where proxies and browsers are answered.
  public let listen: HostPort
  /// Where health and metrics are answered; nil for nowhere.
  public let operations: HostPort?
  /// The kind of proxy.
  public let proxy: ProxyKind
  /// The line and the column of ``proxy`` in the file.
  package let proxyPlace: String
  /// The addresses and networks of the proxy.
  public let peers: [PeerNetwork]
  /// The path below which the gate answers.
  public let prefix: String
  /// The entity identifier of our SAML metadata.
  public let entityID: String
  /// Whether the providers name one set of people; nil where the file does not say it.
  public let people: GatePeople?
  /// Whose statements of claims count where a rule, a header or a member of the signed identity does not say it.
  let counted: CountedProviders
  /// The files of the keys that sign SAML messages; the first signs, all are published.
  public let signingKeys: [String]
  /// The files of the certificates of ``signingKeys`` and ``decryptKeys``.
  public let certificates: [String]
  /// The files of keys that decrypt.
  public let decryptKeys: [String]
  /// The file of keys for cookies, a line of base64 each; nil for a key that ends with the process.
  public let cookieKeys: String?
  /// The identity providers.
  public let providers: [ProviderConfiguration]
  /// A discovery service that asks people for their provider; nil for the gate's own page.
  public let discovery: HTTPURL?
  /// The file of the metadata of services for which the gate is a discovery service; nil for none.
  public let services: String?
  /// Where sessions are kept.
  public let store: Store
  /// Seconds after which a session ends.
  public let lifetime: Int
  /// Seconds without use after which a session ends.
  public let idle: Int
  /// The headers for the application.
  public internal(set) var headers: [HeaderRule]
  /// The signed identity for the application; nil for none.
  public let identityToken: IdentityTokenConfiguration?
  /// The rules.
  public internal(set) var rules: GateRules
  /// What programs get tokens for at the public origin; nil for no such thing.
  public internal(set) var resource: ProtectedResource?
  /// Audiences of bearer tokens for the public origin, beside that origin.
  public internal(set) var audiences: [String]
  /// Other origins whose pages read answers at the public origin (CORS).
  public internal(set) var readers: [HTTPOrigin]
  /// Whether the gate's pages are alone at the public origin: no application is there.
  public let hasPagesOnly: Bool
  /// Applications on other hosts.
  public let applications: [GateApplicationConfiguration]
  /// The trust file for bearer tokens; nil for none.
  public let tokens: String?
  /// The claims that headers and rules name, each by the types that it may have.
  public var neededClaims: [[ClaimType]] {
    var types = (identityToken?.members.map(\.claims) ?? [])
    for (headers, rules) in [(headers, rules)] + applications.map({ ($0.headers, $0.rules) }) {
      types += headers.map(\.claims) + rules.rules.map(\.claims)
    }
    return types.filter { !$0.isEmpty && Set($0).isDisjoint(with: GateClaim.reserved) }
  }
  /// The names of the headers that tell the application who asks.
  public var headerNames: [String] {
    headers.map(\.name) + [identityToken?.header].compactMap(\.self)
  }
  /// The audiences that belong to an application: origins, resources, and those that the file lists.
  var ownAudiences: [String] {
    origin.audiences + audiences + [resource?.identifier].compactMap(\.self)
      + applications.flatMap { application in
        application.origin.audiences + application.audiences
          + [application.resource?.identifier].compactMap(\.self)
      }
  }

  /// Every rule of the file, whichever application it is for.
  var allRules: [GateRule] { rules.rules + applications.flatMap(\.rules.rules) }
  /// Every header of the file, whichever application it is for.
  var allHeaders: [HeaderRule] { headers + applications.flatMap(\.headers) }

  /// What the file names providers for, each with its place.
  var namedProviders: [(place: String, identifiers: [String])] {
    let own = [("provider", counted)]
    return
      (own + allRules.map { ($0.place, $0.counted) }
      + allHeaders.map { ($0.place, $0.counted) }
      + (identityToken?.members ?? []).map { ($0.place, $0.counted) })
      .compactMap { place, counted in counted.identifiers.map { (place, $0) } }
  }

  /// The first place that reads a claim and does not say whose, which is an error where there are several issuers.
  var unsaidClaim: UnsaidClaim? {
    if let rule = allRules.first(where: { $0.counted == .unsaid }) {
      return UnsaidClaim(place: rule.place, name: "", claim: rule.claim)
    }
    if let header = allHeaders.first(where: { $0.counted == .unsaid }) {
      return UnsaidClaim(
        place: header.place, name: header.name, claim: header.claim)
    }
    return identityToken?.members.first { $0.counted == .unsaid }.map {
      UnsaidClaim(place: $0.place, name: $0.name, claim: $0.claim)
    }
  }

  /// What the file says of the application at an origin; nil for an origin that it does not name.
  public func viewed(at origin: HTTPOrigin) -> Self? {
    guard origin != self.origin else { return self }
    guard let application = applications.first(where: { $0.origin == origin }) else { return nil }
    var view = self
    view.origin = application.origin
    view.headers = application.headers
    view.rules = application.rules
    view.resource = application.resource
    view.audiences = application.audiences
    view.readers = application.readers
    return view
  }

  /// The limits of the calls to each provider, issuer and introspection endpoint.
  package let outgoing: DependencyLimits
  /// Whether a line of the log is a JSON object.
  package let logsJSON: Bool
  /// What the file says that is legal and probably not meant.
  public let warnings: [String]
}
