import HTTPExchange
import Octets
import SecurityKeys
import SignIn
import TokenBasics

/// Reads the file of a service member by member and collects all errors with their place.
struct ServiceFileReader {
  var file: MemberReader
  var errors: [TokenError] { file.errors }
  private var offers: [ClaimOffer] = []
  private var upstream: [ProviderConfiguration] = []
  var faults: [TokenError] = []
  var secretFiles: [ServiceFile.SecretPlace: String] = [:]
  var recipientFileByRealm: [String: String] = [:]
  var encryptionByRealm: [String: ContentEncryption] = [:]
  var metadataByRealm: [String: MetadataLocation] = [:]
  var certificateFileByName: [String: String] = [:]
  /// Where the rules of each group are in the text; nil for one that was generated.
  var rulePlaces: [String: [JSONValue?]] = [:]
  /// The rules of a file of changed rules that are about providers that the service's file does not have.
  private(set) var skipped: [TokenError] = []
  private var skipsUnknownProviders = false

  /// - Parameter providers: What conditions may name, where the text itself has no providers.
  init(_ octets: [UInt8], providers: [String] = []) {
    file = MemberReader(octets, member: .issuingFileMember, value: .issuingFileValue)
    offers = providers.map { ClaimOffer(id: $0, types: []) }
  }

  /// The groups of a file of changed rules.
  mutating func readChanges(_ json: JSONValue, _ names: [String]) -> [RuleGroup] {
    // The pages wrote this file: who takes a provider out of the service's file need not know of it.
    skipsUnknownProviders = true
    file.members(json, ["ruleGroups"])
    for entry in file.list(json["ruleGroups"]) {
      _ = known(entry["name"].map { [$0] } ?? [], names)
    }
    return readGroups(json["ruleGroups"])
  }

  mutating func read(_ json: JSONValue) -> ServiceFile? {
    file.fileMembers(
      json,
      [
        "issuer", "name", "logo", "listen", "proxy", "tls", "keys", "state", "changedRules",
        "requestsPerSecond", "outgoing", "log",
        "providers", "relyingParties", "ruleGroups", "serviceIdentities", "testPeople",
        "authorizationServers", "registration", "operations", "admin", "admins",
      ])
    let issuer = issuer(json)
    let listen = file.hostPort(json["listen"]) ?? file.required(json, "listen")
    let tls = json["tls"].flatMap { readTLS($0) }
    if let listen, let value = json["listen"], tls == nil, !listen.isLoopback {
      file.refuse(value, "a loopback address, or tls beside it")
    }
    // A browser goes where the issuer is; without TLS nothing stands between.
    if let issuer, let listen, tls == nil, issuer.origin.scheme == "http",
      listen.port != issuer.origin.port, let value = json["listen"]
    {
      file.refuse(value, "the port of the issuer, \(issuer.origin.port)")
    }
    let proxy = readProxy(json["proxy"])
    let operations = readOperations(json["operations"], listen)
    let adminPlace = readAdminPlace(json, operations)
    let admins = readAdmins(json["admins"])
    let providers = readProviders(json)
    readTestPeople(json, providers, issuer, listen)
    let groups = readGroups(json["ruleGroups"])
    let parties = readParties(json, groups, providers)
    let identities = readIdentities(json["serviceIdentities"])
    let servers = readAuthorizationServers(json["authorizationServers"], parties.map(\.realm))
    checkClients(json, parties, identities)
    var shared: SharedStoreConfiguration?
    var state = "memory"
    if let value = json["state"], value.members != nil {
      shared = SharedStoreConfiguration(value, &file)
    } else {
      state = file.text(json["state"]) ?? "acs.db"
    }
    let rates = readRates(json["requestsPerSecond"])
    let registration = readRegistration(json["registration"], parties.map(\.realm))
    let outgoing = DependencyLimits(json["outgoing"], &file)
    guard let issuer, let listen else { return nil }
    return ServiceFile(
      issuer: issuer, name: file.text(json["name"]) ?? issuer.origin.host,
      logo: file.text(json["logo"]), listen: listen, proxy: proxy,
      operations: operations, adminPlace: adminPlace, admins: admins, tls: tls,
      keys: file.text(json["keys"]) ?? "acs.keys",
      state: state == "memory" ? nil : state, shared: shared,
      changedRules: file.text(json["changedRules"]) ?? "acs.rules.json", rates: rates,
      registration: registration, outgoing: outgoing, logsJSON: file.logsJSON(json["log"]),
      secretFiles: secretFiles,
      relyingParties: parties,
      recipientFileByRealm: recipientFileByRealm, encryptionByRealm: encryptionByRealm,
      metadataByRealm: metadataByRealm,
      providers: providers, upstream: upstream, ruleGroups: groups, identities: identities,
      authorizationServers: servers,
      certificateFileByName: certificateFileByName, faults: faults)
  }

  // MARK: The service

  private mutating func issuer(_ json: JSONValue) -> HTTPURL? {
    guard let value = json["issuer"], let text = file.text(value) else {
      return file.required(json, "issuer")
    }
    guard let url = try? HTTPURL(text), text.hasSuffix("/"), url.path == "/", url.query == nil
    else {
      file.refuse(value, "https://host/ with the slash, or http on loopback")
      return nil
    }
    return url
  }

  private mutating func readTLS(_ json: JSONValue) -> (certificate: String, key: String)? {
    file.members(json, ["certificate", "key"])
    guard let certificate = file.text(json["certificate"]) ?? file.required(json, "certificate"),
      let key = file.text(json["key"]) ?? file.required(json, "key")
    else { return nil }
    return (certificate, key)
  }

  /// Anybody may press a test person: beyond loopback only where the file says so.
  private mutating func readTestPeople(
    _ json: JSONValue, _ providers: [ACSIdentityProvider], _ issuer: HTTPURL?,
    _ listen: HostPort?
  ) {
    if let value = json["testPeople"], file.text(value) != "public" {
      file.refuse(value, "public")
    }
    let isBeyond =
      issuer?.origin.isLoopback == false || listen?.isLoopback == false
    guard isBeyond, json["testPeople"] == nil else { return }
    let invented = providers.filter { provider in
      if case .testPeople = provider.kind { true } else { false }
    }
    guard let first = invented.first else { return }
    file.refuse(
      json["providers"] ?? json,
      "real providers beyond loopback, or \"testPeople\": \"public\" beside them", first.id)
  }

  // MARK: Identity providers

  private mutating func readProviders(_ json: JSONValue) -> [ACSIdentityProvider] {
    let list = file.list(json["providers"])
    if let value = json["providers"] {
      if list.isEmpty { file.refuse(value, "at least one provider") }
    } else {
      let _: JSONValue? = file.required(json, "providers")
    }
    var providers: [ACSIdentityProvider] = []
    for entry in list {
      file.members(
        entry,
        [
          "kind", "application", "id", "name", "offers", "people", "image", "emailSuffixes",
          "authoritativeFor", "subjectFrom", "grants", "contexts", "address", "skew",
        ] + ProviderConfiguration.members)
      guard let (offer, standardName, errors) = offer(entry) else { continue }
      if providers.contains(where: { $0.id.hasSameBytes(as: offer.id) }) {
        file.refuse(entry["id"] ?? entry, "an id of its own", offer.id)
      }
      // Rules name the service itself so.
      if offer.id.hasSameBytes(as: "acs") {
        file.refuse(entry["id"] ?? entry, "another id, since rules call the service acs")
      }
      offers.append(offer)
      guard let kind = readKind(entry, offer) else { continue }
      var provider = ACSIdentityProvider(
        id: offer.id, name: file.text(entry["name"]) ?? standardName, kind)
      provider.errors = errors
      provider.image = entry["image"].flatMap { address($0) }
      provider.emailSuffixes = file.texts(entry["emailSuffixes"])
      provider.mailDomains = domains(entry["authoritativeFor"])
      provider.grants = readGrants(entry)
      provider.contexts = readContexts(entry)
      provider.subjectType = file.text(entry["subjectFrom"]).map(ClaimShorthand.type)
      if let value = entry["subjectFrom"], case .testPeople = provider.kind {
        file.refuse(value, "none for test people, whose subject is nameidentifier")
      }
      providers.append(provider)
    }
    nameFormerly()
    return providers
  }

  /// Gives each real provider the name by its place in the file, which earlier versions used, unless another provider has it.
  private mutating func nameFormerly() {
    let taken = upstream.flatMap { [$0.id, $0.address].compactMap(\.self) }
    for index in upstream.indices {
      let byPlace = "provider-\(index + 1)"
      var names = upstream[index].address.map { [$0] } ?? []
      if !taken.containsBytes(of: byPlace) { names.append(byPlace) }
      upstream[index].formerIDs = names.filter { !$0.hasSameBytes(as: upstream[index].id) }
    }
  }

  /// Where people of a provider sign in; nil for an entry that describes no valid provider.
  private mutating func readKind(
    _ entry: JSONValue, _ offer: ClaimOffer
  ) -> ACSIdentityProvider.Kind? {
    let people =
      entry["people"] == nil
      ? TestPeople.standard(for: offer)
      : file.list(entry["people"]).compactMap { person($0) }
    guard ["saml", "wsFederation", "openID"].contains(where: { entry[$0] != nil }) else {
      for name in ["address", "skew"] {
        if let value = entry[name] { file.refuse(value, "none for test people") }
      }
      return .testPeople(people)
    }
    if let people = entry["people"] { file.refuse(people, "none beside a real provider") }
    guard let exchange = ProviderConfiguration.exchange(entry, &file) else { return nil }
    if let refresh = entry["openID"]?["refresh"] {
      file.refuse(refresh, "none: acs keeps no claims of a provider")
    }
    let name = ProviderConfiguration.identifier(of: offer.id)
    var provider = ProviderConfiguration(
      id: name, name: file.text(entry["name"]), exchange: exchange, acceptsUnsolicited: false)
    if upstream.contains(where: { $0.address?.hasSameBytes(as: name) == true }) {
      file.refuse(entry["id"] ?? entry, "an id that is no address of another", name)
    }
    provider.address = readAddress(entry)
    provider.skew = ProviderConfiguration.skew(entry, &file)
    upstream.append(provider)
    return .upstream(name)
  }

  /// The name in the addresses that are registered at a provider, where it is not that of its `id`.
  private mutating func readAddress(_ entry: JSONValue) -> String? {
    guard let value = entry["address"], let text = file.text(value) else { return nil }
    if entry["openID"] == nil {
      file.refuse(value, "none, since SAML and WS-Federation have one address for all providers")
    } else if !ProviderConfiguration.isIdentifier(text) {
      file.refuse(value, ProviderConfiguration.identifierForm, text)
    } else if isTaken(text) {
      file.refuse(value, "an address of its own", text)
    }
    return text
  }

  /// Whether a provider before it in the file has that name in its addresses.
  private func isTaken(_ name: String) -> Bool {
    upstream.contains { [$0.id, $0.address].compactMap(\.self).containsBytes(of: name) }
  }

  /// Domains of e-mail addresses, such as `example.org`.
  private mutating func domains(_ json: JSONValue?) -> [String] {
    var domains: [String] = []
    for value in file.list(json) {
      guard let text = file.text(value) else { continue }
      guard (try? HTTPURL("https://" + text + "/"))?.origin.host.utf8.count == text.utf8.count
      else {
        file.refuse(value, "a domain, such as example.org")
        continue
      }
      domains.append(text)
    }
    return domains
  }

  private mutating func offer(
    _ entry: JSONValue
  ) -> (ClaimOffer, name: String, ACSRefusal.ProviderProtocol)? {
    switch file.text(entry["kind"]) ?? "federation" {
    case "windowsLive": return (.windowsLive, "Windows Live\u{2122} ID", .federation)
    case "google": return (.google, "Google", .openID)
    case "yahoo": return (.yahoo, "Yahoo!", .openID)
    case "facebook":
      guard let application = file.text(entry["application"]) ?? file.required(entry, "application")
      else { return nil }
      return (.facebook(application: application), "Facebook", .facebook)
    case "federation":
      guard let id = file.text(entry["id"]) ?? file.required(entry, "id") else { return nil }
      let types = file.texts(entry["offers"]).map(ClaimShorthand.type)
      let isReal = ProviderConfiguration.members.contains { entry[$0] != nil }
      return (
        ClaimOffer(id: id, types: types.isEmpty && !isReal ? Self.usual : types),
        id,
        .federation
      )
    default:
      file.refuse(
        entry["kind"] ?? entry, "windowsLive, google, yahoo, facebook or federation")
      return nil
    }
  }

  /// What test people of a federation provider have when the file does not say.
  private static let usual: [ClaimType] = [.nameIdentifier, .upn, .name, .emailAddress, .role]

  private mutating func person(_ json: JSONValue) -> TestPerson? {
    file.members(json, ["name", "claims"])
    guard let name = file.text(json["name"]) ?? file.required(json, "name") else { return nil }
    guard let members = json["claims"]?.members else { return file.required(json, "claims") }
    var claims: [Claim] = []
    for (name, value) in members {
      let type = ClaimShorthand.type(name)
      let values =
        value.array == nil
        ? [file.text(value)].compactMap(\.self) : file.texts(value)
      claims += values.map { Claim(type, $0) }
    }
    return TestPerson(name: name, claims: ClaimSet(claims))
  }

  // MARK: Rules

  private mutating func readGroups(_ json: JSONValue?) -> [RuleGroup] {
    var groups: [RuleGroup] = []
    for entry in file.list(json) {
      file.members(entry, ["name", "generate", "rules"])
      guard let name = file.text(entry["name"]) ?? file.required(entry, "name") else { continue }
      if groups.contains(where: { $0.name.hasSameBytes(as: name) }) {
        file.refuse(entry["name"] ?? entry, "a name of its own")
      }
      var group = RuleGroup(name)
      var places: [JSONValue?] = []
      for value in file.list(entry["generate"]) {
        guard let id = file.text(value) else { continue }
        guard let offer = offers.first(where: { $0.id.hasSameBytes(as: id) }) else {
          file.refuse(value, "the id of a provider: " + offers.map(\.id).joined(separator: ", "))
          continue
        }
        group.generate(for: offer)
      }
      places += Array(repeating: nil, count: group.rules.count)
      for value in file.list(entry["rules"]) {
        guard let rule = rule(value) else { continue }
        group.rules.append(rule)
        places.append(value)
      }
      rulePlaces[name] = places
      groups.append(group)
    }
    return groups
  }

  private mutating func rule(_ json: JSONValue) -> ClaimRule? {
    file.members(json, ["if", "and", "type", "value", "to", "note"])
    guard let first = json["if"] else { return file.required(json, "if") }
    guard let input = condition(first) else { return nil }
    let second = json["and"].flatMap { condition($0) }
    var subjects: RuledSubjects?
    if let value = json["to"], let text = file.text(value) {
      subjects = RuledSubjects(rawValue: text)
      if subjects == nil { file.refuse(value, "people or services") }
      if subjects == .services, [input, second].contains(where: { $0?.issuer.name != nil }) {
        file.refuse(value, "people, since a provider says nothing of services")
      }
    }
    return ClaimRule(
      input, and: second, outputType: file.text(json["type"]).map(ClaimShorthand.type),
      outputValue: file.text(json["value"]), to: subjects, note: file.text(json["note"]) ?? "")
  }

  private mutating func condition(_ json: JSONValue) -> ClaimCondition? {
    file.members(json, ["from", "type", "value"])
    guard let from = file.text(json["from"]) ?? file.required(json, "from") else { return nil }
    let issuer: RuleIssuer
    if from == "acs" {
      issuer = .service
    } else if offers.contains(where: { $0.id.hasSameBytes(as: from) }) {
      issuer = .provider(from)
    } else if skipsUnknownProviders {
      skipped.append(
        TokenError(
          .issuingFileValue, node: file.place(json["from"] ?? json),
          expected: "acs or " + offers.map(\.id).joined(separator: ", "),
          found: TokenError.excerpt(from)))
      return nil
    } else {
      file.refuse(
        json["from"] ?? json, "acs or " + offers.map(\.id).joined(separator: ", "))
      return nil
    }
    return ClaimCondition(
      issuer, type: file.text(json["type"]).map(ClaimShorthand.type),
      value: file.text(json["value"]))
  }
}
