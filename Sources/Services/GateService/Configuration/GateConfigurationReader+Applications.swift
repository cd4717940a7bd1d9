import HTTPExchange
import Octets
import SignIn
import TokenBasics

extension GateConfigurationReader {
  /// What the whole file says, where an application does not say it itself.
  struct Common {
    let origin: HTTPOrigin
    let rules: GateRules
    let headers: [HeaderRule]
    let identityToken: IdentityTokenConfiguration?
    let providers: [ProviderConfiguration]
    let people: GatePeople?
    let hasTokens: Bool
  }

  /// The applications. One whose origin is the public one says more of that.
  mutating func readApplications(
    _ json: JSONValue?, _ common: Common
  ) -> [GateApplicationConfiguration] {
    guard let json else { return [] }
    guard let list = json.array, !list.isEmpty else {
      file.refuse(json, "a list of applications that is not empty")
      return []
    }
    var applications: [GateApplicationConfiguration] = []
    for entry in list {
      file.members(entry, ["origin", "rules", "headers", "resource", "audiences", "origins"])
      guard let value = entry["origin"] else {
        let _: String? = file.required(entry, "origin")
        continue
      }
      guard let origin = applicationOrigin(value) else { continue }
      // A cookie is for every port of its host (RFC 6265, 8.5).
      let others = applications.map(\.origin) + (origin == common.origin ? [] : [common.origin])
      if others.contains(where: { $0.host.hasSameBytes(as: origin.host) }) {
        file.refuse(
          value, "a host of its own, since cookies are for all ports of a host", origin.description)
      }
      applications.append(application(entry, origin, common))
    }
    checkAudiences(list, applications, common)
    return applications
  }

  /// The audiences of an application, which only bearer tokens have.
  private mutating func audiences(_ json: JSONValue?, _ common: Common) -> [String] {
    guard let json else { return [] }
    let audiences = file.texts(json)
    if audiences.isEmpty { file.refuse(json, "a list of audiences that is not empty") }
    if !common.hasTokens {
      file.refuse(json, "tokens in the file, whose audiences these are", "audiences")
    }
    return audiences
  }

  /// An audience that is the origin or the resource of an application is that one's alone.
  private mutating func checkAudiences(
    _ list: [JSONValue], _ applications: [GateApplicationConfiguration], _ common: Common
  ) {
    for entry in list {
      let own = entry["origin"]?.string.flatMap { try? HTTPURL($0).origin.withoutRoot }
      var others = applications.filter { $0.origin != own }.flatMap(\.origin.audiences)
      if own != common.origin { others += common.origin.audiences }
      others += applications.compactMap(\.resource?.identifier)
      for value in entry["audiences"]?.array ?? [] {
        guard let text = value.string, others.containsBytes(of: text) else { continue }
        file.refuse(value, "an audience that is no other application's origin and no resource")
      }
    }
  }

  /// Whether the public origin has the gate's pages alone; a file with several hosts that does not say so is warned.
  ///
  /// - Parameter hasOwn: Whether an application is named whose origin is the public one.
  mutating func readPagesOnly(
    _ json: JSONValue, _ origin: HTTPOrigin, _ hasOwn: Bool,
    _ others: [GateApplicationConfiguration]
  ) -> Bool {
    let isAlone = file.flag(json["pagesOnly"])
    if isAlone, others.isEmpty || hasOwn, let value = json["pagesOnly"] {
      file.refuse(
        value,
        hasOwn
          ? "false, or no application at \(origin)" : "false, or applications on other hosts")
    }
    if !isAlone, !others.isEmpty {
      warnings.append(
        "public: an application at \(origin) shares the origin of the gate's pages: its scripts see the answers of providers "
          + "and can act as the person at every other host; give it a host of its own in applications and add the line "
          + "\"pagesOnly\": true,")
    }
    return isAlone
  }

  private mutating func application(
    _ entry: JSONValue, _ origin: HTTPOrigin, _ common: Common
  ) -> GateApplicationConfiguration {
    var (rules, headers) = (common.rules, common.headers)
    let resource = entry["resource"].flatMap {
      self.resource($0, origin, hasTokens: common.hasTokens)
    }
    if let json = entry["rules"] {
      rules = GateRules(
        readRules(json, common.providers, common.people, hasTokens: common.hasTokens),
        default: common.rules.standard)
    }
    rules = rules.protecting(resource?.path)
    if entry["rules"] != nil || resource != nil { warnings += rules.warnings }
    if let json = entry["headers"] {
      headers = readHeaders(json, common.providers, hasTokens: common.hasTokens)
      let signed = common.identityToken.map { HeaderSpelling.folded($0.header) }
      if let taken = headers.first(where: { HeaderSpelling.folded($0.name) == signed }) {
        file.refuse(json, "a header name that no other header is taken for", taken.name)
      }
    }
    if let resource {
      checkScopes(of: rules, for: resource, entry["resource"]?["scopes"])
      checkPublic(rules, for: resource, entry["resource"]?["identifier"])
    }
    return GateApplicationConfiguration(
      origin: origin, rules: rules, headers: headers, resource: resource,
      audiences: audiences(entry["audiences"], common), readers: readers(entry["origins"]))
  }

  /// The origins whose pages read answers of the application.
  private mutating func readers(_ json: JSONValue?) -> [HTTPOrigin] {
    guard let json else { return [] }
    let values = file.list(json)
    if values.isEmpty { file.refuse(json, "a list of origins that is not empty") }
    return values.compactMap { value -> HTTPOrigin? in
      guard let text = file.text(value) else { return nil }
      guard let url = try? HTTPURL(text), url.query == nil, url.origin.description == text else {
        file.refuse(
          value, "an origin as browsers write it, such as https://inspector.example", text)
        return nil
      }
      return url.origin
    }
  }

  /// A rule for the resource that demands a scope that it does not list lets in no program: none can know what to ask for.
  private mutating func checkScopes(
    of rules: GateRules, for resource: ProtectedResource, _ json: JSONValue?
  ) {
    guard let json else { return }
    for rule in rules.rules
    where rule.path.isCovered(by: resource.path) || resource.path.isCovered(by: rule.path) {
      for scope in rule.scopes
      where !resource.scopes.contains(where: { $0.hasSameBytes(as: scope) }) {
        file.refuse(json, "every scope that rules for the resource demand, such as \(scope)")
      }
    }
  }

  /// A public rule for the path of the resource itself lets everybody in without a token. One above it is right: the path
  /// of the resource is longer.
  private mutating func checkPublic(
    _ rules: GateRules, for resource: ProtectedResource, _ json: JSONValue?
  ) {
    let isOpen = rules.rules.contains {
      $0.isPublic && $0.method == nil && $0.path.isCovered(by: resource.path)
        && resource.path.isCovered(by: $0.path)
    }
    if isOpen, let json { file.refuse(json, "an address whose path no rule makes public") }
  }

  /// The origin as browsers name it.
  private mutating func applicationOrigin(_ value: JSONValue) -> HTTPOrigin? {
    guard let text = file.text(value) else { return nil }
    guard let url = try? HTTPURL(text), url.path == "/", url.query == nil else {
      file.refuse(value, "an https origin, or http on loopback")
      return nil
    }
    return url.origin.withoutRoot
  }

  private mutating func resource(
    _ json: JSONValue, _ origin: HTTPOrigin, hasTokens: Bool
  ) -> ProtectedResource? {
    file.members(json, ["identifier", "authorizationServers", "scopes"])
    if !hasTokens {
      file.refuse(json, "tokens in the file, which says whose tokens count", "resource")
    }
    guard let identifier = json["identifier"] else { return file.required(json, "identifier") }
    guard let text = file.text(identifier) else { return nil }
    guard let servers = json["authorizationServers"] else {
      return file.required(json, "authorizationServers")
    }
    let issuers = file.texts(servers)
    if issuers.isEmpty || issuers.contains(where: { (try? HTTPURL($0)) == nil }) {
      file.refuse(servers, "a list of https addresses that is not empty")
    }
    let scopes = json["scopes"].map { file.texts($0) } ?? []
    if let value = json["scopes"], scopes.isEmpty || !scopes.allSatisfy(OpenIDClient.isToken) {
      file.refuse(value, "a list of scopes, such as [\"write\"]")
    }
    do throws(TokenError) {
      let resource = try ProtectedResource(text, authorizationServers: issuers, scopes: scopes)
      if resource.origin != origin {
        file.refuse(identifier, "an address at \(origin), whose application it is", text)
      }
      if !prefix.isEmpty, resource.origin == origin,
        (try? RequestTarget(prefix)).map({ resource.path.isCovered(by: $0) }) == true
      {
        file.refuse(identifier, "an address of the application, not below \(prefix)", text)
      }
      return resource
    } catch {
      file.refuse(
        identifier, error.expected ?? "an address with one reading", TokenError.excerpt(text))
      return nil
    }
  }
}
