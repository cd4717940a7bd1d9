import HTTPExchange
import Octets
import SignIn
import TokenBasics

/// Reads who may exchange tokens, and for what.
extension ServiceFileReader {
  /// The members of a relying party that are about exchange.
  static let exchangeMembers =
    [
      "exchangeFor", "mayActFor", "resourceFor", "draft13For", "protocols", "scopes",
      "signResponse",
    ] + clientNameMembers
  /// The members by which a client says under which names it gets tokens.
  static let clientNameMembers = ["audiences", "recipients"]

  mutating func readExchange(_ entry: JSONValue) -> ExchangePolicy {
    var policy = ExchangePolicy()
    policy.clients = file.texts(entry["exchangeFor"])
    policy.scopes = scopes(entry["scopes"])
    policy.resourceClients = file.texts(entry["resourceFor"])
    policy.draft13Clients = file.texts(entry["draft13For"])
    for value in file.list(entry["mayActFor"]) {
      guard let name = file.text(value) else { continue }
      if !policy.clients.containsBytes(of: name) {
        file.refuse(value, "a client that exchangeFor beside it names")
      }
      policy.actingClients.append(name)
    }
    return policy
  }

  /// The protocols by which a relying party gives tokens; nil where it does not list them.
  mutating func readProtocols(_ entry: JSONValue) -> Set<PartyProtocol>? {
    guard let value = entry["protocols"] else { return nil }
    var protocols: Set<PartyProtocol> = []
    for name in known(file.list(value), PartyProtocol.allCases.map(\.rawValue)) {
      if let known = PartyProtocol(rawValue: name) { protocols.insert(known) }
    }
    if protocols.contains(.saml), entry["metadata"] == nil {
      file.refuse(value, "metadata of a SAML 2.0 service provider beside saml")
    }
    return protocols
  }

  mutating func readClientNames(_ entry: JSONValue) -> ClientNames {
    var names = ClientNames()
    names.audiences = file.texts(entry["audiences"])
    names.recipients = file.list(entry["recipients"]).compactMap { address($0) }
    return names
  }

  /// Scopes (RFC 6749, 3.3).
  private mutating func scopes(_ json: JSONValue?) -> [String] {
    var scopes: [String] = []
    for value in file.list(json) {
      guard let scope = file.text(value) else { continue }
      guard OpenIDClient.isToken(scope) else {
        file.refuse(value, "a scope: visible ASCII without quotes and backslashes")
        continue
      }
      scopes.append(scope)
    }
    return scopes
  }

  /// Whether assertions of a provider are grants.
  mutating func readGrants(_ entry: JSONValue) -> GrantUse? {
    guard let value = entry["grants"], let text = file.text(value) else { return nil }
    guard let use = GrantUse(rawValue: text) else {
      file.refuse(value, "once or reuse")
      return nil
    }
    if ["saml", "wsFederation", "openID"].allSatisfy({ entry[$0] == nil }) {
      file.refuse(value, "none for test people, who have no assertions")
    }
    if use == .reuse, entry["openID"] == nil {
      file.refuse(value, "once, since OpenID providers alone issue grants that are used again")
    }
    return use
  }

  /// The contexts that a provider calls by another name: each once on both sides, so that the way back is one.
  mutating func readContexts(_ entry: JSONValue) -> [ContextName] {
    guard let value = entry["contexts"] else { return [] }
    guard let members = value.members else {
      file.refuse(value, "an object of contexts: the name here and the one at the provider")
      return []
    }
    var contexts: [ContextName] = []
    for (own, json) in members {
      guard let theirs = file.text(json) else { continue }
      if contexts.contains(where: { $0.theirs.hasSameBytes(as: theirs) }) {
        file.refuse(json, "a context of the provider that has no other name here")
      }
      contexts.append(ContextName(own, theirs: theirs))
    }
    return contexts
  }

  // MARK: Authorization servers

  mutating func readAuthorizationServers(
    _ json: JSONValue?, _ realms: [String]
  ) -> [ResourceAuthorizationServer] {
    var servers: [ResourceAuthorizationServer] = []
    for entry in file.list(json) {
      file.members(entry, ["issuer", "clients", "relyingParty", "scopes", "resources"])
      guard let issuer = file.text(entry["issuer"]) ?? file.required(entry, "issuer") else {
        continue
      }
      if servers.contains(where: { $0.issuer.hasSameBytes(as: issuer) }) {
        file.refuse(entry["issuer"] ?? entry, "an issuer of its own")
      }
      var server = ResourceAuthorizationServer(issuer: issuer)
      if let members = entry["clients"]?.members, !members.isEmpty {
        server.clients = members.compactMap { own, value in
          file.text(value).map { ResourceAuthorizationServer.Client(own, theirs: $0) }
        }
      } else {
        file.refuse(
          entry["clients"] ?? entry,
          "an object of clients: the client_id here and the one at the server")
      }
      server.scopes = scopes(entry["scopes"])
      server.resources = file.texts(entry["resources"])
      if let value = entry["relyingParty"], let realm = file.text(value) {
        server.relyingParty = realm
        if !realms.containsBytes(of: realm) {
          file.refuse(value, "one of " + realms.joined(separator: ", "))
        }
      }
      servers.append(server)
    }
    return servers
  }

  // MARK: Clients

  /// Refuses clients that there are not, and those that could not prove who they are: exchange is for confidential ones.
  mutating func checkClients(
    _ json: JSONValue, _ parties: [RelyingParty], _ identities: [ServiceIdentity]
  ) {
    let confidential =
      parties.map(\.realm).filter { realm in
        secretFiles[.clientSecret(realm)] != nil
          || parties.contains { $0.realm.hasSameBytes(as: realm) && $0.clientSecret != nil }
      } + identities.map(\.name)
    for entry in file.list(json["relyingParties"]) {
      for value in file.list(entry["exchangeFor"]) {
        guard let name = file.text(value) else { continue }
        checkClient(name, value, confidential, parties, identities)
      }
    }
    for entry in file.list(json["relyingParties"]) {
      for value in file.list(entry["resourceFor"]) {
        guard let name = file.text(value),
          !parties.contains(where: { $0.realm.hasSameBytes(as: name) })
        else { continue }
        file.refuse(value, "the realm of a relying party, to which people sign in")
      }
    }
    for entry in file.list(json["relyingParties"]) {
      for value in file.list(entry["draft13For"]) {
        guard let name = file.text(value),
          !identities.contains(where: { $0.name.hasSameBytes(as: name) })
        else { continue }
        file.refuse(value, "the name of a service identity")
      }
    }
    for entry in file.list(json["authorizationServers"]) {
      for (name, value) in entry["clients"]?.members ?? [] {
        checkClient(name, value, confidential, parties, identities)
      }
    }
  }

  private mutating func checkClient(
    _ name: String, _ value: JSONValue, _ confidential: [String], _ parties: [RelyingParty],
    _ identities: [ServiceIdentity]
  ) {
    guard confidential.containsBytes(of: name) else {
      file.refuse(
        value,
        "the name of a service identity, or the realm of a relying party with a clientSecret",
        TokenError.excerpt(name))
      return
    }
    let isBoth =
      parties.contains { $0.realm.hasSameBytes(as: name) }
      && identities.contains { $0.name.hasSameBytes(as: name) }
    if isBoth { file.refuse(value, "a name that one client alone has", TokenError.excerpt(name)) }
  }
}
