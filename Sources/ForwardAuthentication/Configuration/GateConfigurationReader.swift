import Federation
import HTTPExchange
import Octets
import StrictJSON

/// Reads the gate's file member by member and collects all errors with their place.
struct GateConfigurationReader {
  private let lines: LineIndex
  private(set) var errors: [TokenError] = []
  private var warnings: [String] = []

  init(_ octets: [UInt8]) { lines = LineIndex(octets) }

  mutating func read(_ json: JSONValue) -> GateConfiguration? {
    members(
      json,
      [
        "public", "listen", "operations", "proxy", "prefix", "entityID", "signingKey",
        "certificate", "decryptKeys", "cookieKeys", "providers", "session", "headers", "rules",
        "tokens", "discovery", "services",
      ])
    let origin = origin(json)
    let listen = listener(json, "listen") ?? required(json, "listen")
    let operations = listener(json, "operations")
    if let listen, listen == operations {
      refuse(json["operations"] ?? json, "an address other than that of listen")
    }
    let (proxy, peers) = readProxy(json)
    let prefix = text(json["prefix"]) ?? "/.gate/"
    if !prefix.hasPrefix("/") || !prefix.hasSuffix("/") || prefix == "/" {
      refuse(json["prefix"] ?? json, "a path that begins and ends with /")
    }
    let providers = readProviders(json)
    let session = readSession(json["session"])
    let headers = readHeaders(json["headers"])
    let rules = GateRules(readRules(json["rules"]))
    let discovery = json["discovery"].flatMap { address($0) }
    let entityID = text(json["entityID"]) ?? (origin.map { $0.description + "/saml" } ?? "")
    guard errors.isEmpty, let origin, let listen, let proxy else { return nil }
    if case .sqlite = session.store, json["cookieKeys"] == nil {
      warnings.append(
        "cookieKeys is missing: sessions outlive a restart, sign-ins under way do not")
    }
    return GateConfiguration(
      origin: origin, listen: listen, operations: operations, proxy: proxy, peers: peers,
      prefix: prefix, entityID: entityID, signingKey: text(json["signingKey"]),
      certificate: text(json["certificate"]), decryptKeys: texts(json["decryptKeys"]),
      cookieKeys: text(json["cookieKeys"]), providers: providers, discovery: discovery,
      services: text(json["services"]), store: session.store,
      lifetime: session.lifetime, idle: session.idle, headers: headers, rules: rules,
      tokens: text(json["tokens"]), warnings: warnings + rules.warnings)
  }

  // MARK: Parts

  private mutating func origin(_ json: JSONValue) -> HTTPOrigin? {
    guard let value = json["public"], let text = text(value) else {
      return required(json, "public")
    }
    guard let url = try? HTTPURL(text), url.path == "/" || url.path.isEmpty, url.query == nil else {
      refuse(value, "an https origin, or http on loopback")
      return nil
    }
    if url.origin.scheme == "http" { warnings.append("public is plain http: for development only") }
    return url.origin
  }

  private mutating func listener(
    _ json: JSONValue, _ name: String
  ) -> GateConfiguration.Listener? {
    guard let value = json[name], let text = text(value) else { return nil }
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let port = Int(String(Substring(parts[1]))),
      (1...65_535).contains(port)
    else {
      refuse(value, "host:port")
      return nil
    }
    return GateConfiguration.Listener(host: String(Substring(parts[0])), port: port)
  }

  private mutating func readProxy(_ json: JSONValue) -> (ProxyKind?, [String]) {
    guard let proxy = json["proxy"] else { return (required(json, "proxy"), []) }
    members(proxy, ["kind", "peers"])
    let kind = text(proxy["kind"]).flatMap(ProxyKind.init(rawValue:))
    if kind == nil {
      refuse(
        proxy["kind"] ?? proxy,
        "one of " + ProxyKind.allCases.map(\.rawValue).joined(separator: ", "))
    }
    let peers = texts(proxy["peers"])
    if peers.isEmpty {
      errors.append(TokenError(.gateNoPeers, node: place(proxy["peers"] ?? proxy)))
    }
    return (kind, peers)
  }

  private mutating func readProviders(_ json: JSONValue) -> [GateConfiguration.Provider] {
    guard let list = json["providers"]?.array, !list.isEmpty else {
      refuse(json["providers"] ?? json, "a list of providers")
      return []
    }
    var providers: [GateConfiguration.Provider] = []
    for entry in list {
      members(entry, ["id", "name", "saml", "wsFederation", "openID", "acceptsUnsolicited"])
      guard let id = text(entry["id"]) ?? required(entry, "id"), let exchange = exchange(entry)
      else { continue }
      if providers.contains(where: { $0.id.hasSameBytes(as: id) }) {
        refuse(entry["id"] ?? entry, "an id of its own")
      }
      providers.append(
        GateConfiguration.Provider(
          id: id, name: text(entry["name"]), exchange: exchange,
          acceptsUnsolicited: entry["acceptsUnsolicited"]?.bool ?? false))
    }
    return providers
  }

  private mutating func exchange(
    _ entry: JSONValue
  ) -> GateConfiguration.Provider.Exchange? {
    let found = ["saml", "wsFederation", "openID"].compactMap { name in
      entry[name].map { (name, $0) }
    }
    guard let (name, value) = found.first, found.count == 1 else {
      refuse(entry, "one of saml, wsFederation, openID")
      return nil
    }
    switch name {
    case "saml":
      members(value, ["metadata", "query", "metadataKey", "entityID", "copy", "binding"])
      let binding = text(value["binding"]) ?? "post"
      if !["post", "artifact"].contains(binding) {
        refuse(value["binding"] ?? value, "post or artifact")
      }
      return metadata(value).map { .saml($0, usesArtifacts: binding == "artifact") }
    case "wsFederation":
      members(value, ["metadata", "query", "metadataKey", "entityID", "copy", "realm"])
      guard let metadata = metadata(value),
        let realm = text(value["realm"]) ?? required(value, "realm")
      else { return nil }
      return .wsFederation(metadata, realm: realm)
    default:
      members(value, ["issuer", "clientID", "clientSecret"])
      guard let issuer = text(value["issuer"]) ?? required(value, "issuer"),
        let client = text(value["clientID"]) ?? required(value, "clientID")
      else { return nil }
      return .openID(issuer: issuer, clientID: client, clientSecret: text(value["clientSecret"]))
    }
  }

  /// Where metadata is: in a file, at an address or at a query server.
  private mutating func metadata(_ json: JSONValue) -> GateConfiguration.Provider.Metadata? {
    let key = text(json["metadataKey"])
    let entityID = text(json["entityID"])
    let copy = text(json["copy"])
    if let query = json["query"] {
      if json["metadata"] != nil { refuse(query, "metadata or query, not both") }
      guard let base = address(query), let key = key ?? required(json, "metadataKey"),
        let entityID = entityID ?? required(json, "entityID")
      else { return nil }
      return .query(base, key: key, entityID: entityID, copy: copy)
    }
    guard let metadata = text(json["metadata"]) ?? required(json, "metadata") else { return nil }
    guard metadata.hasPrefix("https://") || metadata.hasPrefix("http://") else {
      if let copy = json["copy"] { refuse(copy, "no copy, which is for metadata at an address") }
      return .file(metadata, key: key, entityID: entityID)
    }
    guard let url = address(json["metadata"] ?? json),
      let entityID = entityID ?? required(json, "entityID")
    else { return nil }
    return .address(url, key: key, entityID: entityID, copy: copy)
  }

  private mutating func address(_ json: JSONValue) -> HTTPURL? {
    guard let text = text(json) else { return nil }
    guard let url = try? HTTPURL(text) else {
      refuse(json, "an https address, or http on loopback")
      return nil
    }
    return url
  }

  private mutating func readSession(
    _ json: JSONValue?
  ) -> (store: GateConfiguration.Store, lifetime: Int, idle: Int) {
    guard let json else { return (.memory, 28_800, 1_800) }
    members(json, ["store", "lifetime", "idle"])
    var store = GateConfiguration.Store.memory
    if let value = json["store"], let text = text(value), text != "memory" {
      if text.hasPrefix("sqlite:"), text.utf8.count > 7 {
        store = .sqlite(path: String(text.dropFirst(7)))
      } else {
        refuse(value, "memory or sqlite:FILE")
      }
    }
    return (
      store, seconds(json["lifetime"], 28_800, 60...2_592_000),
      seconds(json["idle"], 1_800, 60...2_592_000)
    )
  }

  private mutating func seconds(
    _ json: JSONValue?, _ standard: Int, _ range: ClosedRange<Int>
  ) -> Int {
    guard let json else { return standard }
    guard let number = json.integer, range.contains(number) else {
      refuse(json, "\(range.lowerBound) to \(range.upperBound) seconds")
      return standard
    }
    return number
  }

  private mutating func readHeaders(_ json: JSONValue?) -> [HeaderRule] {
    guard let json else { return [] }
    guard let list = json.members else {
      refuse(json, "an object")
      return []
    }
    var headers: [HeaderRule] = []
    for (name, value) in list {
      if headers.contains(where: { IdentityHeaders.folded($0.name) == IdentityHeaders.folded(name) }
      )
        || (try? HTTPFields([(name, "")])) == nil
      {
        refuse(value, "a header name that no other header is taken for", name)
      }
      if value.string != nil {
        headers.append(HeaderRule(name: name, claims: GateClaim.types(text(value) ?? "")))
      } else {
        members(value, ["claim", "only"])
        guard let claim = text(value["claim"]) ?? required(value, "claim") else { continue }
        headers.append(
          HeaderRule(
            name: name, claims: GateClaim.types(claim), only: value["only"].map { texts($0) }))
      }
    }
    return headers
  }

  private mutating func readRules(_ json: JSONValue?) -> [GateRule] {
    guard let json else { return [] }
    guard let list = json.array else {
      refuse(json, "a list of rules")
      return []
    }
    var rules: [GateRule] = []
    for entry in list {
      members(entry, ["path", "method", "claim", "oneOf", "noneOf"])
      guard let text = text(entry["path"]) ?? required(entry, "path") else { continue }
      let claim = self.text(entry["claim"])
      let denies = entry["noneOf"] != nil
      let values = texts(entry["noneOf"] ?? entry["oneOf"])
      guard let path = try? RequestTarget(text), !text.utf8.contains(UInt8(ascii: "?")) else {
        refuse(entry["path"] ?? entry, "a path with one reading")
        continue
      }
      if (claim == nil) != values.isEmpty || (denies && entry["oneOf"] != nil) {
        refuse(entry, "a claim with values in oneOf or noneOf, or neither")
      }
      rules.append(
        GateRule(
          path: path, method: self.text(entry["method"]),
          claims: claim.map(GateClaim.types) ?? [], values: values, denies: denies,
          place: place(entry)))
    }
    return rules
  }

  // MARK: Members

  private mutating func members(_ json: JSONValue, _ allowed: [String]) {
    guard let members = json.members else {
      refuse(json, "an object")
      return
    }
    for (name, value) in members where !allowed.contains(name) {
      errors.append(
        TokenError(
          .gateMember, node: place(value), expected: allowed.joined(separator: ", "),
          found: TokenError.excerpt(name)))
    }
  }

  private mutating func required<Value>(_ json: JSONValue, _ name: String) -> Value? {
    if json[name] == nil {
      errors.append(TokenError(.gateMember, node: place(json), expected: name, found: "nothing"))
    }
    return nil
  }

  private mutating func text(_ json: JSONValue?) -> String? {
    guard let json else { return nil }
    guard let text = json.string, !text.isEmpty else {
      refuse(json, "a string that is not empty")
      return nil
    }
    return text
  }

  private mutating func texts(_ json: JSONValue?) -> [String] {
    guard let json else { return [] }
    guard let list = json.array else {
      refuse(json, "a list of strings")
      return []
    }
    return list.compactMap { text($0) }
  }

  private mutating func refuse(_ json: JSONValue, _ expected: String, _ found: String? = nil) {
    errors.append(
      TokenError(
        .gateValue, node: place(json), expected: expected,
        found: TokenError.excerpt(found ?? json.string ?? json.kindName)))
  }

  private func place(_ json: JSONValue) -> String { lines.place(of: json.range.lowerBound) }
}
