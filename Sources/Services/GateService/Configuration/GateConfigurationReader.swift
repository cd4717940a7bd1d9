import Federation
import HTTPExchange
import Octets
import SignIn
import TokenBasics

/// Reads the gate's file member by member and collects all errors with their place.
struct GateConfigurationReader {
  var file: MemberReader
  /// The path below which the gate answers; empty until it is read.
  private(set) var prefix = ""
  /// Whose statements of claims count where the entry does not say it.
  private(set) var counted = CountedProviders.unsaid
  var errors: [TokenError] { file.errors }
  var warnings: [String] = []

  init(_ octets: [UInt8]) {
    file = MemberReader(octets, member: .gateMember, value: .gateValue)
  }

  mutating func read(_ json: JSONValue) -> GateConfiguration? {
    file.fileMembers(
      json,
      [
        "public", "name", "logo", "listen", "operations", "proxy", "prefix", "entityID",
        "signingKey",
        "certificate", "signingKeys", "certificates", "decryptKeys", "cookieKeys", "people",
        "providers", "session", "headers", "identityToken", "rules", "default", "tokens",
        "discovery", "services", "applications", "provider", "pagesOnly",
        "outgoing", "log",
      ])
    let origin = origin(json)
    let (listen, operations) = readListeners(json)
    let (proxy, peers) = readProxy(json)
    readPrefix(json)
    let providers = readProviders(json)
    let people = readPeople(json, providers)
    let session = readSession(json["session"])
    checkRefresh(json, within: session.lifetime)
    let hasTokens = json["tokens"] != nil
    counted = readProviders(of: json, providers, hasTokens: hasTokens) ?? .unsaid
    let headers = readHeaders(json["headers"], providers, hasTokens: hasTokens)
    let identityToken = readIdentityToken(
      json["identityToken"], beside: headers, providers, hasTokens: hasTokens)
    let rules = GateRules(
      readRules(json["rules"], providers, people, hasTokens: hasTokens),
      default: readDefault(json))
    let signingKeys = readFiles(json, "signingKey", "signingKeys")
    let certificates = readFiles(json, "certificate", "certificates")
    let discovery = json["discovery"].flatMap { address($0) }
    let outgoing = DependencyLimits(json["outgoing"], &file)
    let entityID = file.text(json["entityID"]) ?? (origin.map { $0.description + "/saml" } ?? "")
    if case .shared = session.store, json["cookieKeys"] == nil {
      file.refuse(json["session"] ?? json, "cookieKeys beside a store that gates share")
    }
    let applications = origin.map { origin in
      readApplications(
        json["applications"],
        Common(
          origin: origin, rules: rules, headers: headers, identityToken: identityToken,
          providers: providers, people: people, hasTokens: hasTokens))
    }
    guard let origin, let listen, let proxy else { return nil }
    if listen.socket != nil, !peers.contains(where: \.isSocket) {
      warnings.append(
        "listen is a Unix socket, and proxy.peers does not list it: every question is refused; add \"unix:\" to proxy.peers"
      )
    }
    // An application at the public origin is the one that the file itself describes.
    let own = applications?.first { $0.origin == origin }
    if own == nil { warnings += rules.warnings }
    let others = applications?.filter { $0.origin != origin } ?? []
    let hasPagesOnly = readPagesOnly(json, origin, own != nil, others)
    let atPublic =
      hasPagesOnly
      ? (rules: GateRules([], default: .refused), headers: [])
      : (rules: own?.rules ?? rules, headers: own?.headers ?? headers)
    if case .sqlite = session.store, json["cookieKeys"] == nil {
      warnings.append(
        "cookieKeys is missing: sessions outlive a restart, sign-ins under way do not")
    }
    return GateConfiguration(
      origin: origin, name: file.text(json["name"]) ?? origin.host, logo: file.text(json["logo"]),
      listen: listen, operations: operations, proxy: proxy,
      proxyPlace: file.place(json["proxy"]?["kind"] ?? json), peers: peers, prefix: prefix,
      entityID: entityID, people: people, counted: counted, signingKeys: signingKeys,
      certificates: certificates, decryptKeys: file.texts(json["decryptKeys"]),
      cookieKeys: file.text(json["cookieKeys"]), providers: providers, discovery: discovery,
      services: file.text(json["services"]), store: session.store,
      lifetime: session.lifetime, idle: session.idle, headers: atPublic.headers,
      identityToken: identityToken, rules: atPublic.rules, resource: own?.resource,
      audiences: own?.audiences ?? [], readers: own?.readers ?? [], hasPagesOnly: hasPagesOnly,
      applications: others, tokens: file.text(json["tokens"]), outgoing: outgoing,
      logsJSON: file.logsJSON(json["log"]), warnings: warnings)
  }

  // MARK: Parts

  private mutating func readListeners(
    _ json: JSONValue
  ) -> (listen: HostPort?, operations: HostPort?) {
    let listen = file.listener(json["listen"]) ?? file.required(json, "listen")
    let operations = file.hostPort(json["operations"])
    if let listen, let operations, listen.collides(with: operations) {
      file.refuse(json["operations"] ?? json, "an address other than that of listen")
    }
    return (listen, operations)
  }

  private mutating func readPrefix(_ json: JSONValue) {
    prefix = file.text(json["prefix"]) ?? "/.gate/"
    if prefix == "/" || !Self.isPrefix(prefix) {
      file.refuse(
        json["prefix"] ?? json,
        "a path that begins and ends with /, of letters, digits, '-', '.', '_' and '~'")
    }
  }

  private mutating func origin(_ json: JSONValue) -> HTTPOrigin? {
    guard let value = json["public"], let text = file.text(value) else {
      return file.required(json, "public")
    }
    guard let url = try? HTTPURL(text), url.path == "/" || url.path.isEmpty, url.query == nil else {
      file.refuse(value, "an https origin, or http on loopback")
      return nil
    }
    if url.origin.host.hasSuffix(".") {
      file.refuse(value, "an origin without a dot behind its host: browsers keep its cookies apart")
    }
    if url.origin.scheme == "http" { warnings.append("public is plain http: for development only") }
    return url.origin
  }

  /// Whether all readers take a text for the same path, in which nothing has to be escaped.
  private static func isPrefix(_ text: String) -> Bool {
    guard text.hasSuffix("/"), (try? RequestTarget(text)) != nil else { return false }
    return text.utf8.allSatisfy {
      ASCII.isLetter($0) || ASCII.isDigit($0) || "/-._~".utf8.contains($0)
    }
  }

  /// Whether the providers name one set of people, which a file with several has to say.
  private mutating func readPeople(
    _ json: JSONValue, _ providers: [ProviderConfiguration]
  ) -> GatePeople? {
    guard let value = json["people"] else {
      if providers.count > 1 {
        file.add(TokenError(.gatePeople, node: file.place(json["providers"] ?? json)))
      }
      return nil
    }
    let people = file.text(value).flatMap(GatePeople.init(rawValue:))
    if people == nil { file.refuse(value, "\"by provider\" or \"shared\"") }
    return people
  }

  /// Files that are named by a member for one or by another for several.
  private mutating func readFiles(
    _ json: JSONValue, _ one: String, _ several: String
  ) -> [String] {
    guard let list = json[several] else { return file.text(json[one]).map { [$0] } ?? [] }
    if let single = json[one] { file.refuse(single, "\(several) alone", one) }
    let files = file.texts(list)
    if files.isEmpty { file.refuse(list, "a list of files") }
    return files
  }

  private mutating func readProxy(_ json: JSONValue) -> (ProxyKind?, [PeerNetwork]) {
    guard let proxy = json["proxy"] else { return (file.required(json, "proxy"), []) }
    file.members(proxy, ["kind", "peers"])
    let kind = file.text(proxy["kind"]).flatMap(ProxyKind.init(rawValue:))
    if kind == nil {
      file.refuse(
        proxy["kind"] ?? proxy,
        "one of " + ProxyKind.allCases.map(\.rawValue).joined(separator: ", "))
    }
    let list = file.list(proxy["peers"])
    var peers: [PeerNetwork] = []
    for value in list {
      guard let text = file.text(value) else { continue }
      do throws(TokenError) {
        peers.append(try PeerNetwork(text))
      } catch {
        file.refuse(value, error.expected ?? "an address", text)
      }
    }
    if let everybody = PeerNetwork.everybody(in: peers), let value = proxy["peers"] {
      file.refuse(
        value, "networks of the proxy alone", "\(everybody), together every address")
    }
    if list.isEmpty {
      file.add(TokenError(.gateNoPeers, node: file.place(proxy["peers"] ?? proxy)))
    }
    return (kind, peers)
  }

  private mutating func readProviders(_ json: JSONValue) -> [ProviderConfiguration] {
    // Whoever takes bearer tokens needs nobody to sign in.
    if json["providers"] == nil, json["tokens"] != nil { return [] }
    guard let list = json["providers"]?.array, !list.isEmpty else {
      file.refuse(
        json["providers"] ?? json, "at least one provider, or no such member beside tokens")
      return []
    }
    var providers: [ProviderConfiguration] = []
    for entry in list {
      file.members(
        entry,
        ["id", "name", "acceptsUnsolicited", "claims", "skew"] + ProviderConfiguration.members)
      guard let id = file.text(entry["id"]) ?? file.required(entry, "id"),
        let exchange = ProviderConfiguration.exchange(entry, &file)
      else { continue }
      if providers.contains(where: { $0.id.hasSameBytes(as: id) }) {
        file.refuse(entry["id"] ?? entry, "an id of its own")
      }
      if !ProviderConfiguration.isIdentifier(id) {
        file.refuse(entry["id"] ?? entry, ProviderConfiguration.identifierForm)
      }
      let acceptsUnsolicited = file.flag(entry["acceptsUnsolicited"])
      if acceptsUnsolicited, entry["saml"] == nil {
        file.refuse(
          entry["acceptsUnsolicited"] ?? entry, "a provider of SAML 2.0, which alone can begin")
      }
      var provider = ProviderConfiguration(
        id: id, name: file.text(entry["name"]), exchange: exchange,
        acceptsUnsolicited: acceptsUnsolicited,
        claimSources: ProviderConfiguration.claimSources(entry, &file))
      provider.skew = ProviderConfiguration.skew(entry, &file)
      providers.append(provider)
    }
    return providers
  }

  /// A session that ends before its claims are read anew never reads them anew.
  private mutating func checkRefresh(_ json: JSONValue, within lifetime: Int) {
    for entry in json["providers"]?.array ?? [] {
      guard let value = entry["openID"]?["refresh"], let seconds = value.integer,
        seconds >= lifetime, seconds <= 86_400
      else { continue }
      file.refuse(value, "fewer seconds than session.lifetime, which is \(lifetime)", "\(seconds)")
    }
  }

  private mutating func address(_ json: JSONValue) -> HTTPURL? {
    guard let text = file.text(json) else { return nil }
    guard let url = try? HTTPURL(text) else {
      file.refuse(json, "an https address, or http on loopback")
      return nil
    }
    return url
  }

  private mutating func readSession(
    _ json: JSONValue?
  ) -> (store: GateConfiguration.Store, lifetime: Int, idle: Int) {
    guard let json else { return (.memory, 28_800, 1_800) }
    file.members(json, ["store", "lifetime", "idle"])
    var store = GateConfiguration.Store.memory
    if let value = json["store"], value.members != nil {
      if let shared = SharedStoreConfiguration(value, &file) { store = .shared(shared) }
    } else if let value = json["store"], let text = file.text(value), text != "memory" {
      if text.hasPrefix("sqlite:"), text.utf8.count > 7 {
        store = .sqlite(path: String(text.dropFirst(7)))
      } else {
        file.refuse(value, "memory, sqlite:FILE, or an object with redis")
      }
    }
    return (
      store, file.seconds(json["lifetime"], 28_800, 60...2_592_000),
      file.seconds(json["idle"], 1_800, 60...2_592_000)
    )
  }

  mutating func readHeaders(
    _ json: JSONValue?, _ providers: [ProviderConfiguration], hasTokens: Bool
  ) -> [HeaderRule] {
    guard let json else { return [] }
    guard let list = json.members else {
      file.refuse(json, "an object")
      return []
    }
    var headers: [HeaderRule] = []
    for (name, value) in list {
      if headers.contains(where: { HeaderSpelling.folded($0.name) == HeaderSpelling.folded(name) }
      )
        || (try? HTTPFields([(name, "")])) == nil
      {
        file.refuse(value, "a header name that no other header is taken for", name)
      }
      if ReservedHeader.contains(name) {
        file.refuse(
          value,
          "the name of a header of your own; this one means something to "
            + "HTTP, the proxy or the gate", name)
      }
      guard
        let (claim, counted) = readClaim(
          value, of: name, also: ["only"], providers, hasTokens: hasTokens)
      else { continue }
      var header = HeaderRule(
        name: name, claims: GateClaim.types(claim), only: readOnly(value["only"]), of: counted,
        place: file.place(value))
      header.claim = claim
      headers.append(header)
    }
    return headers
  }

  /// The claim of a header or of a member of the signed identity, and whose statements of it count: a name alone, or an
  /// object with `claim` and `provider`.
  ///
  /// - Parameter others: Further members of the object.
  mutating func readClaim(
    _ value: JSONValue, of name: String, also others: [String] = [],
    _ providers: [ProviderConfiguration], hasTokens: Bool
  ) -> (claim: String, counted: CountedProviders)? {
    func place(_ claim: String) -> UnsaidClaim {
      UnsaidClaim(place: file.place(value), name: name, claim: claim)
    }
    if value.string != nil {
      guard let claim = file.text(value) else { return nil }
      return (claim, counting(claim, nil, place(claim), providers))
    }
    file.members(value, ["claim", "provider"] + others)
    guard let claim = claimName(value["claim"]) ?? file.required(value, "claim") else {
      return nil
    }
    let own = readProviders(of: value, providers, hasTokens: hasTokens)
    if own?.identifiers != nil, GateClaim.isReserved(claim) {
      file.refuse(
        value["provider"] ?? value, "nothing: \(claim) comes from the session, not from a claim")
    }
    return (claim, counting(claim, own, place(claim), providers))
  }

  /// The only values that a header passes on; without one it would always be empty.
  private mutating func readOnly(_ json: JSONValue?) -> [String]? {
    guard let json else { return nil }
    let values = file.texts(json)
    if values.isEmpty { file.refuse(json, "a list of values that is not empty") }
    return values
  }
}
