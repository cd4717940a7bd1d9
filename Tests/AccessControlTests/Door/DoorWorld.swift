import AccessControl
import HTTPExchange
import SAML
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

/// The file of a service with one of everything, as a value that a restriction changes. Without a restriction every entrance
/// issues.
struct DoorWorld {
  static let realm = "https://shop.example/api"
  static let reply = "https://shop.example/signin"
  static let server = "https://as.example"
  /// A claim that no provider of the tests sends.
  static let unknown = ClaimType("urn:unknown")

  /// The relying party whose tokens are asked for, itself a client: `shop`.
  var party: RelyingParty
  /// A client to which people sign in, and which gets tokens of the party.
  var client: RelyingParty
  /// A relying party for whose tokens the party exchanges its own.
  var next: RelyingParty
  /// A service identity that gets tokens of the party.
  var program: ServiceIdentity
  /// The providers of the people, and one of other people.
  var providers: [ACSIdentityProvider]
  /// An authorization server that knows people as the party does.
  var server: ResourceAuthorizationServer
  var hasParty = true
  var hasClient = true
  var hasProgram = true
  var hasServer = true

  init() throws {
    party = try Self.party()
    client = RelyingParty(realm: "chat", name: "Chat", format: .jwt, ruleGroups: ["all"])
    client.clientSecret = Secret("secret of chat")
    client.returnAddresses = [try HTTPURL("https://chat.example/callback")]
    next = RelyingParty(realm: "urn:next", format: .jwt, ruleGroups: ["all"])
    next.exchange.clients = [Self.realm]
    next.clientSecret = Secret("secret of next")
    program = ServiceIdentity(
      name: "game", password: Secret("secret of game"),
      key: try SymmetricKey(bytes: Self.programKey))
    program.redirectAddresses = [try HTTPURL("https://game.example/code")]
    program.clientNames.audiences = ["https://agent.example/saml"]
    program.clientNames.recipients = [try HTTPURL("https://agent.example/acs")]
    providers = ["campus", "op"].map { id in
      var provider = ACSIdentityProvider(id: id, name: id, .upstream("at-" + id))
      provider.grants = .once
      return provider
    }
    let tom = TestPerson(name: "Tom", claims: ClaimSet([Claim(.nameIdentifier, "tom")]))
    providers += ["test", "other"].map { id in
      ACSIdentityProvider(id: id, name: id, .testPeople([tom]))
    }
    server = ResourceAuthorizationServer(
      issuer: Self.server,
      clients: ["game", Self.realm].map { .init($0, theirs: $0 + "-there") })
    server.relyingParty = Self.realm
    server.scopes = ["orders"]
    server.resources = ["https://api.as.example/mcp"]
  }

  static let programKey = [UInt8](repeating: 8, count: 32)

  private static func party() throws -> RelyingParty {
    var party = RelyingParty(realm: realm, name: "Shop", format: .saml20, ruleGroups: ["all"])
    party.clientSecret = Secret("secret of shop")
    party.returnAddresses = [try HTTPURL(reply)]
    party.listedProtocols = Set(PartyProtocol.allCases)
    party.serviceProvider = try metadata(signs: false)
    party.exchange.clients = ["chat", "game"]
    party.exchange.resourceClients = ["chat"]
    party.exchange.draft13Clients = ["game"]
    party.exchange.actingClients = ["game"]
    party.exchange.scopes = ["read"]
    return party
  }

  /// The metadata of the party.
  static func metadata(signs: Bool) throws -> SAMLServiceProvider? {
    var reader = try MetadataReader()
    let document = try SiteFixture.service(realm, signs: signs).metadata().document()
    let entities = try reader.consume(document) + reader.finish()
    return entities.first.flatMap { SAMLServiceProvider($0) }
  }

  /// The providers at which nobody of the tests signs in.
  static let others = ["other"]

  private static let groups: [RuleGroup] = {
    let people = ["campus", "op", "test"].map { ClaimRule(ClaimCondition(.provider($0))) }
    let services = [ClaimRule(ClaimCondition(.service), outputType: "urn:program")]
    return [
      RuleGroup("all", rules: people + services), RuleGroup("people", rules: people),
      RuleGroup("services", rules: services), RuleGroup("none", rules: []),
      // A token refuses a type with a space at its end, whatever its format.
      RuleGroup(
        "odd",
        rules: (people + services).map { ClaimRule($0.input, outputType: "urn:odd ") }),
    ]
  }()

  func namespace() throws -> ServiceNamespace {
    try ServiceNamespace(
      issuer: ExchangeFixture.issuer,
      relyingParties: (hasParty ? [party] : []) + (hasClient ? [client] : []) + [next],
      providers: providers, identities: hasProgram ? [program] : [],
      authorizationServers: hasServer ? [server] : [], ruleGroups: Self.groups,
      keys: NamespaceKeys(
        signing: ExchangeFixture.pair("acs"),
        symmetric: SymmetricKey(bytes: [UInt8](repeating: 7, count: 32)),
        identifiers: SymmetricKey(bytes: SiteFixture.identifiers)))
  }
}
