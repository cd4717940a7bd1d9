import Federation
import HTTPExchange
import Octets
import StrictJSON

/// Reads the gate's file member by member and collects all errors with their place.
struct GateConfigurationReader {
  private var file: MemberReader
  var errors: [TokenError] { file.errors }
  private var warnings: [String] = []

  init(_ octets: [UInt8]) {
    file = MemberReader(octets, member: .gateMember, value: .gateValue)
  }

  mutating func read(_ json: JSONValue) -> GateConfiguration? {
    file.members(
      json,
      [
        "public", "listen", "operations", "proxy", "prefix", "entityID", "signingKey",
        "certificate", "decryptKeys", "cookieKeys", "providers", "session", "headers", "rules",
        "tokens", "discovery", "services",
      ])
    let origin = origin(json)
    let listen = listener(json, "listen") ?? file.required(json, "listen")
    let operations = listener(json, "operations")
    if let listen, listen == operations {
      file.refuse(json["operations"] ?? json, "an address other than that of listen")
    }
    let (proxy, peers) = readProxy(json)
    let prefix = file.text(json["prefix"]) ?? "/.gate/"
    if !prefix.hasPrefix("/") || !prefix.hasSuffix("/") || prefix == "/" {
      file.refuse(json["prefix"] ?? json, "a path that begins and ends with /")
    }
    let providers = readProviders(json)
    let session = readSession(json["session"])
    let headers = readHeaders(json["headers"])
    let rules = GateRules(readRules(json["rules"]))
    let discovery = json["discovery"].flatMap { address($0) }
    let entityID = file.text(json["entityID"]) ?? (origin.map { $0.description + "/saml" } ?? "")
    if case .shared = session.store, json["cookieKeys"] == nil {
      file.refuse(json["session"] ?? json, "cookieKeys beside a store that gates share")
    }
    guard errors.isEmpty, let origin, let listen, let proxy else { return nil }
    if case .sqlite = session.store, json["cookieKeys"] == nil {
      warnings.append(
        "cookieKeys is missing: sessions outlive a restart, sign-ins under way do not")
    }
    return GateConfiguration(
      origin: origin, listen: listen, operations: operations, proxy: proxy, peers: peers,
      prefix: prefix, entityID: entityID, signingKey: file.text(json["signingKey"]),
      certificate: file.text(json["certificate"]), decryptKeys: file.texts(json["decryptKeys"]),
      cookieKeys: file.text(json["cookieKeys"]), providers: providers, discovery: discovery,
      services: file.text(json["services"]), store: session.store,
      lifetime: session.lifetime, idle: session.idle, headers: headers, rules: rules,
      tokens: file.text(json["tokens"]), warnings: warnings + rules.warnings)
  }

  // MARK: Parts

  private mutating func origin(_ json: JSONValue) -> HTTPOrigin? {
    guard let value = json["public"], let text = file.text(value) else {
      return file.required(json, "public")
    }
    guard let url = try? HTTPURL(text), url.path == "/" || url.path.isEmpty, url.query == nil else {
      file.refuse(value, "an https origin, or http on loopback")
      return nil
    }
    if url.origin.scheme == "http" { warnings.append("public is plain http: for development only") }
    return url.origin
  }

  private mutating func listener(
    _ json: JSONValue, _ name: String
  ) -> GateConfiguration.Listener? {
    guard let value = json[name], let text = file.text(value) else { return nil }
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let port = Int(String(Substring(parts[1]))),
      (1...65_535).contains(port)
    else {
      file.refuse(value, "host:port")
      return nil
    }
    return GateConfiguration.Listener(host: String(Substring(parts[0])), port: port)
  }

  private mutating func readProxy(_ json: JSONValue) -> (ProxyKind?, [String]) {
    guard let proxy = json["proxy"] else { return (file.required(json, "proxy"), []) }
    file.members(proxy, ["kind", "peers"])
    let kind = file.text(proxy["kind"]).flatMap(ProxyKind.init(rawValue:))
    if kind == nil {
      file.refuse(
        proxy["kind"] ?? proxy,
        "one of " + ProxyKind.allCases.map(\.rawValue).joined(separator: ", "))
    }
    let peers = file.texts(proxy["peers"])
    if peers.isEmpty {
      file.add(TokenError(.gateNoPeers, node: file.place(proxy["peers"] ?? proxy)))
    }
    return (kind, peers)
  }

  private mutating func readProviders(_ json: JSONValue) -> [ProviderConfiguration] {
    guard let list = json["providers"]?.array, !list.isEmpty else {
      file.refuse(json["providers"] ?? json, "a list of providers")
      return []
    }
    var providers: [ProviderConfiguration] = []
    for entry in list {
      file.members(entry, ["id", "name", "saml", "wsFederation", "openID", "acceptsUnsolicited"])
      guard let id = file.text(entry["id"]) ?? file.required(entry, "id"),
        let exchange = ProviderConfiguration.exchange(entry, &file)
      else { continue }
      if providers.contains(where: { $0.id.hasSameBytes(as: id) }) {
        file.refuse(entry["id"] ?? entry, "an id of its own")
      }
      providers.append(
        ProviderConfiguration(
          id: id, name: file.text(entry["name"]), exchange: exchange,
          acceptsUnsolicited: entry["acceptsUnsolicited"]?.bool ?? false))
    }
    return providers
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

  private mutating func readHeaders(_ json: JSONValue?) -> [HeaderRule] {
    guard let json else { return [] }
    guard let list = json.members else {
      file.refuse(json, "an object")
      return []
    }
    var headers: [HeaderRule] = []
    for (name, value) in list {
      if headers.contains(where: { IdentityHeaders.folded($0.name) == IdentityHeaders.folded(name) }
      )
        || (try? HTTPFields([(name, "")])) == nil
      {
        file.refuse(value, "a header name that no other header is taken for", name)
      }
      if value.string != nil {
        headers.append(HeaderRule(name: name, claims: GateClaim.types(file.text(value) ?? "")))
      } else {
        file.members(value, ["claim", "only"])
        guard let claim = file.text(value["claim"]) ?? file.required(value, "claim") else {
          continue
        }
        headers.append(
          HeaderRule(
            name: name, claims: GateClaim.types(claim), only: value["only"].map { file.texts($0) }))
      }
    }
    return headers
  }

  private mutating func readRules(_ json: JSONValue?) -> [GateRule] {
    guard let json else { return [] }
    guard let list = json.array else {
      file.refuse(json, "a list of rules")
      return []
    }
    var rules: [GateRule] = []
    for entry in list {
      file.members(entry, ["path", "method", "claim", "oneOf", "noneOf"])
      guard let text = file.text(entry["path"]) ?? file.required(entry, "path") else { continue }
      let claim = file.text(entry["claim"])
      let denies = entry["noneOf"] != nil
      let values = file.texts(entry["noneOf"] ?? entry["oneOf"])
      guard let path = try? RequestTarget(text), !text.utf8.contains(UInt8(ascii: "?")) else {
        file.refuse(entry["path"] ?? entry, "a path with one reading")
        continue
      }
      if (claim == nil) != values.isEmpty || (denies && entry["oneOf"] != nil) {
        file.refuse(entry, "a claim with values in oneOf or noneOf, or neither")
      }
      rules.append(
        GateRule(
          path: path, method: file.text(entry["method"]),
          claims: claim.map(GateClaim.types) ?? [], values: values, denies: denies,
          place: file.place(entry)))
    }
    return rules
  }
}
