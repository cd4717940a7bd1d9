import AccessControl
import HTTPExchange
import JSONWebTokens
import SecurityKeys
import TestSupport
import TokenBasics

/// Something that the file says, or does not say any more, and whom it keeps from a token.
struct DoorRestriction: Sendable {
  /// What an operator reads, with the member of the file.
  let title: String
  /// The types and properties that it is about, as `RelyingParty.providers`.
  let members: [String]
  /// Where it refuses when it is in force before the first request.
  let refuses: Set<DoorEntrance>
  /// Entrances at which it is too late once the sign-in has begun.
  var beginsAt: Set<DoorEntrance> = []
  /// Whether a token that was issued before counts no more, too: what came of it is judged again at each use.
  var lasts = true
  /// Uses that it refuses besides.
  var alsoRefuses: Set<DoorUse> = []
  /// Uses that go on although the entrance refuses.
  var spares: Set<DoorUse> = []
  /// Changes the file.
  let edit: @Sendable (inout DoorWorld, DoorEntrance) throws -> Void

  /// - Parameters:
  ///   - members: Without the type, of the relying party.
  init(
    _ title: String, _ members: [String], refuses: [DoorEntrance],
    _ edit: @escaping @Sendable (inout DoorWorld, DoorEntrance) throws -> Void
  ) {
    self.title = title
    self.members = members.map { $0.contains(".") ? $0 : "RelyingParty." + $0 }
    self.refuses = Set(refuses)
    self.edit = edit
  }

  /// What a request shows, as a secret or an address does: tokens that were issued go on.
  func ofRequests(_ also: [DoorUse] = []) -> Self {
    var copy = self
    copy.lasts = false
    copy.alsoRefuses = Set(also)
    return copy
  }

  func sparing(_ uses: [DoorUse]) -> Self {
    var copy = self
    copy.spares = Set(uses)
    return copy
  }

  func alsoRefusing(_ uses: [DoorUse]) -> Self {
    var copy = self
    copy.alsoRefuses = Set(uses)
    return copy
  }

  func judged(atBeginOf entrances: [DoorEntrance]) -> Self {
    var copy = self
    copy.beginsAt = Set(entrances)
    return copy
  }

  /// Whether it is a secret, which is shown for the token.
  var isOfSecret: Bool {
    members.contains("RelyingParty.clientSecret") || members.contains("ServiceIdentity.password")
  }

  /// Whether an entrance refuses when it comes into force at that moment.
  func isRefused(at entrance: DoorEntrance, _ moment: DoorMoment) -> Bool {
    refuses.contains(entrance) && (moment == .before || !beginsAt.contains(entrance))
  }

  /// Whether what was issued before is of no use any more.
  func isRefused(_ use: DoorUse) -> Bool {
    alsoRefuses.contains(use)
      || lasts && refuses.contains(use.source) && !spares.contains(use)
  }
}

extension DoorRestriction {
  /// Every restriction, in the order of the table.
  static let all = ofParties + ofClients + ofPrograms + ofProviders + ofServers

  /// Where people get tokens, but for grants that are about no relying party.
  private static let people =
    DoorEntrance.browsers + DoorEntrance.exchanges + DoorEntrance.bearers + [.exchangeOwn]
  /// Where the relying party itself asks with its secret.
  private static let asParty = DoorUse.allCases.filter(\.isAskedByParty)
  private static let onPages: [DoorEntrance] = [.federation, .feed, .notify]

  // MARK: Relying parties

  static let ofParties: [Self] = presence + protocols + names + contents

  private static let presence: [Self] = [
    Self(
      "The relying party is not in the file", ["realm"],
      refuses: DoorEntrance.allCases.filter { $0 != .grantOut }
    ) { world, _ in
      world.hasParty = false
      world.server.relyingParty = "urn:next"
    },
    Self("`providers` lacks the provider", ["providers"], refuses: people + [.grantOut]) {
      world, _ in world.party.providers = DoorWorld.others
    },
    Self("`providers` lacks the provider of the actor", ["providers"], refuses: [.exchangeActor]) {
      world, entrance in
      if entrance == .exchangeActor { world.party.providers = ["campus", "test"] }
    },
  ]

  private static let protocols: [Self] = [
    Self(
      "`protocols` is written out without the one", ["listedProtocols"],
      refuses: onPages + [.saml] + DoorEntrance.openIDs + DoorEntrance.programs
    ) { world, entrance in
      world.party.listedProtocols = Set(PartyProtocol.allCases).subtracting([entrance.listed])
    },
    Self(
      "no `protocols`, with `clientSecret` and `metadata`", ["listedProtocols"], refuses: onPages
    ) { world, _ in world.party.listedProtocols = nil },
    Self("no `protocols`, with `clientSecret`", ["listedProtocols"], refuses: onPages + [.saml]) {
      world, _ in
      world.party.listedProtocols = nil
      world.party.serviceProvider = nil
    },
    Self(
      "no `protocols`, with `metadata`", ["listedProtocols"],
      refuses: onPages + DoorEntrance.openIDs
    ) { world, _ in
      world.party.listedProtocols = nil
      world.party.clientSecret = nil
    }.alsoRefusing(asParty.filter { $0 != .refreshOpenID }),
    Self(
      "no `protocols`, with neither", ["listedProtocols"], refuses: [.notify, .saml]
    ) { world, _ in
      world.party.listedProtocols = nil
      world.party.clientSecret = nil
      world.party.serviceProvider = nil
    }.alsoRefusing(asParty.filter { $0 != .refreshOpenID }),
  ]

  private static let names: [Self] = [
    Self(
      "`exchangeFor` lacks the client", ["ExchangePolicy.clients"],
      refuses: DoorEntrance.exchanges + DoorEntrance.bearers + [.exchangeOwn]
    ) { world, _ in world.party.exchange.clients = [] },
    Self(
      "`resourceFor` lacks the client", ["ExchangePolicy.resourceClients"], refuses: [.resource]
    ) { world, _ in world.party.exchange.resourceClients = [] },
    Self(
      "`draft13For` lacks the client", ["ExchangePolicy.draft13Clients"], refuses: [.draft13]
    ) { world, _ in world.party.exchange.draft13Clients = [] },
    Self(
      "`mayActFor` lacks the client", ["ExchangePolicy.actingClients"], refuses: [.exchangeActor]
    ) { world, _ in world.party.exchange.actingClients = [] },
    Self(
      "`scopes` lacks the scope", ["ExchangePolicy.scopes"],
      refuses: [.resource, .registeredResource, .exchangeOwn, .samlBearer, .jwtBearer]
    ) { world, _ in world.party.exchange.scopes = [] }.ofRequests()
      .judged(atBeginOf: [.resource, .registeredResource]),
  ]

  private static let contents: [Self] = [
    Self(
      "`rules` give nothing", ["ruleGroups"],
      refuses: DoorEntrance.allCases.filter { $0 != .grantOut }
    ) { world, _ in world.party.ruleGroups = ["none"] },
    Self(
      "`rules` give a type that no token can carry", ["ruleGroups"],
      refuses: DoorEntrance.allCases.filter { $0 != .grantOut }
    ) { world, _ in world.party.ruleGroups = ["odd"] }
    .ofRequests([.refreshOpenID, .refreshResource, .refreshDraft13, .refreshRegistered]),
    Self("`rules` are for services", ["ruleGroups", "ClaimRule.appliesTo"], refuses: people) {
      world, _ in world.party.ruleGroups = ["services"]
    },
    Self(
      "`rules` are for people", ["ruleGroups", "ClaimRule.appliesTo"],
      refuses: DoorEntrance.programs
    ) { world, _ in world.party.ruleGroups = ["people"] },
    Self(
      "`encryptTo` with a format of SAML", ["requiresEncryption", "recipient"],
      refuses: DoorEntrance.openIDs + DoorEntrance.bearers + DoorEntrance.strangers
        + [
          .resource, .wrap, .wrapAssertion, .credentials, .programJWT, .exchangeID, .exchangeActor,
          .exchangeOwn,
        ]
    ) { world, _ in
      world.party.requiresEncryption = true
      world.party.recipient = try world.party.serviceProvider?.encryptionCertificate.map {
        try EncryptionRecipient($0)
      }
    }.sparing([.userInfo, .userInfoRegistered, .introspectOpaque, .onwardOpaque]),
    Self(
      "`encryptTo` with the format JWT", ["requiresEncryption", "webRecipient", "format"],
      refuses: [.saml, .wrap, .wrapAssertion, .trust, .exchange, .registered, .document]
    ) { world, _ in
      world.party.requiresEncryption = true
      world.party.format = .jwt
      world.party.serviceProvider = nil
      world.party.webRecipient = try JSONWebEncryptionRecipient(
        KeyPairs.pair("recipient").signing.publicKey)
    }.alsoRefusing([.onwardFederation, .onwardDraft13]).sparing([.userInfoRegistered]),
    Self(
      "`return` lacks the address", ["returnAddresses"],
      refuses: [.federation, .feed] + DoorEntrance.openIDs
    ) { world, _ in
      world.party.returnAddresses = [try HTTPURL("https://shop.example/other")]
    }.ofRequests(),
    Self("`clientSecret` is another", ["clientSecret"], refuses: DoorEntrance.openIDs) {
      world, _ in world.party.clientSecret = Secret("another secret")
    }.ofRequests(asParty),
    Self("`metadata` and `saml` are taken out", ["metadata"], refuses: [.saml]) {
      world, _ in
      world.party.serviceProvider = nil
      world.party.listedProtocols?.remove(.saml)
    },
    Self("`metadata` wants signed requests", ["metadata"], refuses: [.saml]) {
      world, _ in world.party.serviceProvider = try DoorWorld.metadata(signs: true)
    }.ofRequests().judged(atBeginOf: [.saml]),
  ]

  // MARK: Clients

  static let ofClients: [Self] = [
    Self(
      "client: it is not in the file", ["realm"], refuses: [.resource, .exchangeOwn]
    ) { world, _ in world.hasClient = false },
    Self(
      "client: `providers` lacks the provider", ["providers"], refuses: [.resource, .exchangeOwn]
    ) { world, _ in world.client.providers = DoorWorld.others },
    Self(
      "client: `protocols` lacks `openID`", ["listedProtocols"], refuses: [.resource, .exchangeOwn]
    ) { world, _ in
      world.client.listedProtocols = Set(PartyProtocol.allCases).subtracting([.openID, .saml])
    },
    Self("client: `rules` give nothing", ["ruleGroups"], refuses: [.resource, .exchangeOwn]) {
      world, _ in world.client.ruleGroups = ["none"]
    },
    Self(
      "client: `clientSecret` is another", ["clientSecret"], refuses: [.resource, .exchangeOwn]
    ) { world, _ in world.client.clientSecret = Secret("another secret") }
    .ofRequests([.refreshResource]),
    Self("client: no `clientSecret`", ["clientSecret"], refuses: [.exchangeOwn]) {
      world, _ in world.client.clientSecret = nil
    }.ofRequests(),
    Self("client: `return` lacks the address", ["returnAddresses"], refuses: [.resource]) {
      world, _ in
      world.client.returnAddresses = [try HTTPURL("https://chat.example/other")]
    }.ofRequests(),
  ]

  // MARK: Service identities

  private static let asserted: [DoorEntrance] = [.wrapAssertion, .draft13Assertion, .programJWT]
  private static let presented = DoorEntrance.exchanges + [.grantOut]

  static let ofPrograms: [Self] = [
    Self(
      "service identity: it is not in the file", ["ServiceIdentity.name"],
      refuses: DoorEntrance.programs + presented + DoorEntrance.bearers + [.draft13]
    ) { world, _ in world.hasProgram = false },
    Self(
      "service identity: `password` is another", ["ServiceIdentity.password"],
      refuses: DoorEntrance.programs.filter { !asserted.contains($0) } + presented
        + DoorEntrance.bearers + [.draft13]
    ) { world, _ in world.program.password = Secret("another secret") }
    .ofRequests([.refreshDraft13]),
    Self(
      "service identity: `key` is another", ["ServiceIdentity.key"], refuses: asserted
    ) { world, _ in
      world.program.key = try SymmetricKey(bytes: [UInt8](repeating: 1, count: 32))
    }.ofRequests(),
    Self(
      "service identity: `redirect` lacks the address", ["ServiceIdentity.redirectAddresses"],
      refuses: [.draft13]
    ) { world, _ in
      world.program.redirectAddresses = [try HTTPURL("https://game.example/other")]
    }.ofRequests(),
    Self(
      "service identity: `audiences` lacks the token's",
      ["ServiceIdentity.clientNames", "RelyingParty.clientNames", "ClientNames.audiences"],
      refuses: presented
    ) { world, _ in world.program.clientNames.audiences = [] }.ofRequests(),
    Self(
      "service identity: `recipients` lacks the token's",
      ["ServiceIdentity.clientNames", "RelyingParty.clientNames", "ClientNames.recipients"],
      refuses: presented
    ) { world, _ in world.program.clientNames.recipients = [] }.ofRequests(),
  ]

  // MARK: Providers

  static let ofProviders: [Self] = [
    Self(
      "provider: it is not in the file", ["ACSIdentityProvider.id"],
      refuses: people + [.grantOut]
    ) { world, _ in
      world.providers.removeAll { !DoorWorld.others.contains($0.id) }
    },
    Self(
      "provider: that of the actor is not in the file", ["ACSIdentityProvider.id"],
      refuses: [.exchangeActor]
    ) { world, entrance in
      if entrance == .exchangeActor { world.providers.removeAll { $0.id == "op" } }
    },
    Self(
      "provider: no `grants`", ["ACSIdentityProvider.grants"], refuses: DoorEntrance.bearers
    ) { world, _ in
      for index in world.providers.indices { world.providers[index].grants = nil }
    },
    Self(
      "provider: `subjectFrom` names a claim that is not there",
      ["ACSIdentityProvider.subjectType"], refuses: presented + DoorEntrance.bearers
    ) { world, _ in
      for index in world.providers.indices {
        world.providers[index].subjectType = DoorWorld.unknown
      }
    }.ofRequests(),
    Self(
      "provider: another one behind the same `id`", ["ACSIdentityProvider.kind"],
      refuses: presented + DoorEntrance.bearers
    ) { world, _ in
      for (index, provider) in world.providers.enumerated() {
        guard case .upstream = provider.kind else { continue }
        world.providers[index] = ACSIdentityProvider(
          id: provider.id, name: provider.name, .testPeople([]))
        world.providers[index].grants = provider.grants
      }
    }.ofRequests(),
  ]

  // MARK: Authorization servers

  static let ofServers: [Self] = [
    Self(
      "authorization server: it is not in the file", ["ResourceAuthorizationServer.issuer"],
      refuses: [.grantOut]
    ) { world, _ in world.hasServer = false }.alsoRefusing([.onwardGrant]),
    Self(
      "authorization server: `clients` lacks the client", ["ResourceAuthorizationServer.clients"],
      refuses: [.grantOut]
    ) { world, _ in world.server.clients = [.init("chat", theirs: "chat")] }
    .alsoRefusing([.onwardGrant]),
    Self(
      "authorization server: `scopes` lacks the scope", ["ResourceAuthorizationServer.scopes"],
      refuses: [.grantOut]
    ) { world, _ in world.server.scopes = [] }.alsoRefusing([.onwardGrant]),
    Self(
      "authorization server: `resources` lacks the resource",
      ["ResourceAuthorizationServer.resources"], refuses: [.grantOut]
    ) { world, _ in world.server.resources = [] }.alsoRefusing([.onwardGrant]),
    Self(
      "authorization server: `relyingParty` offers other providers",
      ["ResourceAuthorizationServer.relyingParty"], refuses: [.grantOut]
    ) { world, _ in
      world.server.relyingParty = "urn:next"
      world.next.providers = DoorWorld.others
    }.alsoRefusing(
      DoorUse.allCases.filter { $0.rawValue.hasPrefix("onward") && $0 != .onwardProgram }),
  ]
}
