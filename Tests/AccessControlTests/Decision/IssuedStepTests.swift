import Claims
import HTTPExchange
import SignIn
import TestSupport
import Testing
import TokenBasics

@testable import AccessControl

/// What is kept of how a token was issued, and judged again when it is used.
@Suite("The steps that led to a token are judged again at each use")
struct IssuedStepTests {
  private static let subject = SignedInSubject(
    ClaimSet([Claim(.nameIdentifier, "tom")]), from: .provider("test"), name: "tom")

  private static func grant(
    _ steps: [IssuedStep], as type: ExchangedType = .saml20, scopes: [String] = [],
    session: String = "", about subject: SignedInSubject = Self.subject
  ) -> Grant {
    var wanted = WantedToken(subject, until: SiteFixture.now.advanced(bySeconds: 300))
    wanted.realm = DoorWorld.realm
    wanted.scopes = scopes
    wanted.session = session
    wanted.steps = steps
    return Grant(tokenOf: wanted, as: type, until: wanted.end)
  }

  private static func service(
    _ edit: (inout DoorWorld) -> Void = { _ in }
  ) throws -> IssuingService {
    var world = try DoorWorld()
    edit(&world)
    return try DoorFixture(world).upstream.site.service
  }

  @Test(
    "A step is kept as three texts, or four where the client showed who acts; any other is none")
  func kept() {
    var step = IssuedStep(entrance: .exchange, client: "game", realm: DoorWorld.realm)
    #expect(step.keptTexts == ["exchange", "game", DoorWorld.realm])
    #expect(IssuedStep(keptTexts: step.keptTexts) == step)
    step.namesActor = true
    #expect(step.keptTexts.count == 4 && IssuedStep(keptTexts: step.keptTexts) == step)
    for texts in [
      ["exchange", "game"], ["else", "a", "b"], ["exchange", "a", "b", "else"],
      ["exchange", "a", "a", "resource"],
    ] {
      #expect(IssuedStep(keptTexts: texts) == nil, "\(texts)")
    }
  }

  @Test("A step for a resource is told by its two names, and by a mark where a client is its own")
  func keptResources() {
    for (realm, count) in [("api", 3), ("chat", 4)] {
      let step = IssuedStep(entrance: .openID, client: "chat", realm: realm, isForResource: true)
      #expect(step.keptTexts.count == count && IssuedStep(keptTexts: step.keptTexts) == step)
    }
    let own = IssuedStep(entrance: .openID, client: "chat", realm: "chat")
    #expect(own.keptTexts.count == 3 && IssuedStep(keptTexts: own.keptTexts) == own)
  }

  @Test("A token for a resource counts while the client's own tokens would be issued, too")
  func resources() async throws {
    let steps = [
      IssuedStep(entrance: .openID, client: "chat", realm: "chat"),
      IssuedStep(
        entrance: .openID, client: "chat", realm: DoorWorld.realm, isForResource: true),
    ]
    let grant = Self.grant(steps, as: .accessToken)
    #expect(try await Self.service().isIssuedNow(grant))
    #expect(try await !Self.service { $0.client.ruleGroups = ["none"] }.isIssuedNow(grant))
    #expect(try await !Self.service { $0.party.exchange.resourceClients = [] }.isIssuedNow(grant))
  }

  @Test(
    "A party that is its own client: its opaque token, its token for itself as a resource and what is redeemed are told apart"
  )
  func ownClients() async throws {
    func own(_ world: inout DoorWorld) {
      world.party.exchange.clients = [DoorWorld.realm]
      world.party.exchange.resourceClients = [DoorWorld.realm]
    }
    let realm = DoorWorld.realm
    let first = IssuedStep(entrance: .openID, client: realm, realm: realm)
    var second = first
    second.isForResource = true
    let resource = Self.grant([first, second], as: .accessToken)
    let exchanged = Self.grant(
      [first, second, IssuedStep(entrance: .exchange, client: realm, realm: realm)],
      as: .accessToken)
    for grant in [resource, exchanged] {
      let read = try #require(Grant(json: grant.json))
      #expect(try await Self.service(own).isIssuedNow(read))
      let isKept = try await Self.service {
        own(&$0)
        $0.party.exchange.resourceClients = []
      }.isIssuedNow(read)
      #expect(!isKept)
    }
    // A token of one step about itself is no opaque one, and one of an earlier version may be.
    let redeemed = Self.grant(
      [IssuedStep(entrance: .exchange, client: realm, realm: realm)], as: .accessToken)
    let party = try Self.service(own).namespace.relyingParty(realm)
    guard case .accessToken = redeemed.kind(ofStep: 0, for: party) else {
      Issue.record("\(redeemed.kind(ofStep: 0, for: party))")
      return
    }
    let earlier = String(decoding: redeemed.json, as: UTF8.self)
      .replacing("\"opaque\":false,", with: "").replacing(",\"opaque\":false", with: "")
    let read = try #require(Grant(json: Array(earlier.utf8)))
    guard case .opaque = read.kind(ofStep: 0, for: party) else {
      Issue.record("\(read.kind(ofStep: 0, for: party))")
      return
    }
  }

  @Test("A token of an earlier release, without steps, counts while its party offers the provider")
  func withoutSteps() async throws {
    let grant = Self.grant([])
    #expect(try await Self.service().isIssuedNow(grant))
    #expect(try await !Self.service { $0.party.providers = DoorWorld.others }.isIssuedNow(grant))
    #expect(try await !Self.service { $0.hasParty = false }.isIssuedNow(grant))
  }

  @Test("Each step of several is judged, not the last alone")
  func everyStep() async throws {
    let grant = Self.grant([
      IssuedStep(entrance: .openID, client: "chat", realm: "chat"),
      IssuedStep(entrance: .exchange, client: "chat", realm: DoorWorld.realm),
    ])
    #expect(try await Self.service().isIssuedNow(grant))
    #expect(
      try await !Self.service { $0.client.listedProtocols = [.wsFederation] }.isIssuedNow(grant))
    #expect(try await !Self.service { $0.party.exchange.clients = [] }.isIssuedNow(grant))
  }

  @Test("A service identity that shares its name with a relying party is judged as itself")
  func sharedName() async throws {
    func world(_ world: inout DoorWorld) {
      world.program = ServiceIdentity(name: "chat")
      world.party.exchange.resourceClients = []
      world.party.exchange.clients = []
    }
    let program = SignedInSubject(
      ClaimSet([Claim(.nameIdentifier, "chat")]), from: .service, name: "chat")
    for entrance in [PartyProtocol.openID, .assertionGrants] {
      let step = IssuedStep(entrance: entrance, client: "chat", realm: DoorWorld.realm)
      let grant = Self.grant([step], as: .accessToken, about: program)
      #expect(try await Self.service(world).isIssuedNow(grant))
      // The relying party of that name got no such token, and does not keep it alive.
      let isKept = try await Self.service {
        world(&$0)
        $0.hasProgram = false
        $0.party.exchange.resourceClients = ["chat"]
        $0.party.exchange.clients = ["chat"]
      }.isIssuedNow(grant)
      #expect(!isKept, "\(entrance)")
    }
  }

  @Test("An exchanged token with a scope offline_access ends with the session all the same")
  func offlineScope() {
    let steps = [
      IssuedStep(entrance: .openID, client: "chat", realm: "chat"),
      IssuedStep(entrance: .exchange, client: "chat", realm: DoorWorld.realm),
    ]
    let grant = Self.grant(steps, as: .accessToken, scopes: ["offline_access"], session: "s")
    #expect(!grant.isOffline)
  }

  @Test(
    "While the store is away there is no verdict, and no other client of the name in its place",
    arguments: [TokenError.Code.signInSessionStore, .transportUnreachable])
  func away(code: TokenError.Code) async throws {
    let id = "client-1-0123456789abcdef"
    var world = try DoorWorld()
    world.program = ServiceIdentity(name: id)
    world.party.exchange.clients = [id]
    let site = try AccessControlSite(
      NamespaceStore(world.namespace()), pages: PlainPages(), values: AwayStore(code: code),
      registration: ClientRegistration(
        relyingParty: DoorWorld.realm, token: nil, transport: ClientDocumentTransport()),
      clock: ManualTime(SiteFixture.now))
    let step = IssuedStep(entrance: .exchange, client: id, realm: DoorWorld.realm)
    await #expect(throws: TokenError(code)) {
      try await site.service.isIssuedNow(Self.grant([step]))
    }
    // Where it answers, nobody registered by that name, and the service identity is the client.
    #expect(try await Self.service { $0 = world }.isIssuedNow(Self.grant([step])))
  }

  private struct AwayStore: ValueStore {
    let code: TokenError.Code

    func keep(
      _ octets: [UInt8], under name: ValueName, until end: Instant, at now: Instant
    ) async throws(TokenError) { throw TokenError(code) }

    func value(under name: ValueName, at now: Instant) async throws(TokenError) -> [UInt8]? {
      throw TokenError(code)
    }

    func take(_ name: ValueName, at now: Instant) async throws(TokenError) -> [UInt8]? {
      throw TokenError(code)
    }

    func remove(_ name: ValueName) async throws(TokenError) { throw TokenError(code) }

    func sweep(at now: Instant) async throws(TokenError) {}
  }

  // MARK: Sign-ins

  @Test("A sign-in is decided for the client, and for the party whose access token it gets beside")
  func contexts() throws {
    var context = SignInContext(.openID, realm: "chat")
    context.scopes = ["openid", "read"]
    context.resource = DoorWorld.realm
    let cases: [(inout DoorWorld) -> Void] = [
      // Of the client.
      { $0.client.providers = DoorWorld.others },
      { $0.client.listedProtocols = [.wsFederation] },
      { $0.client.requiresEncryption = true },
      { $0.client.ruleGroups = ["none"] },
      // Of the resource.
      { $0.party.providers = DoorWorld.others },
      { $0.party.exchange.resourceClients = [] },
      { $0.party.requiresEncryption = true },
      { $0.party.ruleGroups = ["none"] },
    ]
    let plain = try Self.service()
    #expect(throws: Never.self) {
      try plain.decide(
        context, plain.namespace.relyingParty("chat"), about: Self.subject)
    }
    for (number, edit) in cases.enumerated() {
      let service = try Self.service(edit)
      #expect(throws: TokenError.self, "\(number)") {
        try service.decide(
          context, service.namespace.relyingParty("chat"), about: Self.subject)
      }
    }
    // Without an ID token the client's own token is an opaque one.
    context.scopes = ["read"]
    let opaque = try Self.service { $0.client.requiresEncryption = true }
    #expect(throws: Never.self) {
      try opaque.decide(context, opaque.namespace.relyingParty("chat"), about: Self.subject)
    }
  }

  @Test("A sign-in by draft 13 is its client's, and one of an unknown protocol nobody's")
  func contextsOfOthers() throws {
    var context = SignInContext(.delegation, realm: DoorWorld.realm)
    let service = try Self.service()
    let party = try service.namespace.relyingParty(DoorWorld.realm)
    for (client, isTaken) in [("game", true), ("chat", false)] {
      context.client = client
      let taken: Void? = try? service.decide(context, party, about: Self.subject)
      #expect((taken != nil) == isTaken, "\(client)")
    }
    #expect(throws: TokenError.self) {
      try service.decide(
        SignInContext(.init(name: "unknown"), realm: DoorWorld.realm), party, about: Self.subject)
    }
  }
}
