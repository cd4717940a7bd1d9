import Claims
import HTTPExchange
import SecurityKeys
import Testing
import TokenBasics

@testable import AccessControl

/// A question to `decide`, and the namespace that answers it.
struct DecisionSituation {
  static let now = Instant(secondsSinceEpoch: 1_700_000_000)

  var party = RelyingParty(realm: "api", format: .jwt, ruleGroups: ["all"])
  var client = RelyingParty(realm: "chat", format: .jwt, ruleGroups: ["all"])
  var hasParty = true
  var hasClient = true
  /// The relying party of a client that registered itself; nil for a client of the file.
  var home: String?
  var providers = ["campus", "other"]
  var grants: GrantUse? = .once
  /// The providers whose assertions are no grants.
  var grantless: [String] = []
  /// The clients of an authorization server, and the relying party as which it knows people.
  var server: (clients: [String], party: String) = ([], "api")
  var entrance = PartyProtocol.wsFederation
  var kind = IssuedKind.format(.jwt)
  var isOwn = true
  var isProgram = false
  var isKnown = true
  var hasName = true
  var namesActor = false
  var end: Instant?

  func namespace() throws -> ServiceNamespace {
    var server = ResourceAuthorizationServer(
      issuer: "https://as.example", clients: server.clients.map { .init($0, theirs: $0) })
    server.relyingParty = self.server.party
    return try ServiceNamespace(
      issuer: "https://acs.example/",
      relyingParties: [RelyingParty(realm: "other", format: .jwt, ruleGroups: ["all"])]
        + (hasParty ? [party] : []) + (hasClient && home == nil ? [client] : []),
      providers: providers.map { id in
        var provider = ACSIdentityProvider(id: id, name: id, .testPeople([]))
        provider.grants = grantless.contains(id) ? nil : grants
        return provider
      },
      identities: [ServiceIdentity(name: "else")]
        + (hasClient ? [ServiceIdentity(name: "game")] : []),
      authorizationServers: [server],
      ruleGroups: [
        RuleGroup(
          "all",
          rules: [
            ClaimRule(ClaimCondition(.provider("campus"))), ClaimRule(ClaimCondition(.service)),
          ]),
        RuleGroup(
          "made",
          rules: [
            ClaimRule(
              ClaimCondition(.provider("campus"), type: .nameIdentifier), outputValue: "staff 7")
          ]),
      ],
      keys: NamespaceKeys(identifiers: SymmetricKey(bytes: SiteFixture.identifiers)))
  }

  func decision() throws -> Decision {
    let namespace = try namespace()
    var subject = namespace.subject(of: ServiceIdentity(name: "game"))
    if !isProgram {
      subject = SignedInSubject(
        ClaimSet([Claim(.nameIdentifier, "ada")]), from: .provider("campus"),
        name: hasName ? "ada" : nil)
    }
    var party = party
    var asking = client
    if let home {
      asking.home = home
      asking.listedProtocols = [.openID]
      if isOwn { party = asking }
    }
    let isIdentity = isProgram && isOwn || entrance == .draft13
    return try namespace.decide(
      isIdentity
        ? TokenClient(ServiceIdentity(name: "game"))
        : TokenClient(isOwn ? party : asking, isConfidential: true),
      by: entrance, kind, until: end, for: party, about: isKnown ? subject : nil,
      namesActor: namesActor, at: Self.now)
  }

  /// Refused by the restriction alone: the twin without it is issued.
  func expect(
    _ code: TokenError.Code, unless change: (inout Self) -> Void,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(throws: TokenError.self, sourceLocation: location) { try decision() }
    do {
      _ = try decision()
    } catch let error as TokenError {
      #expect(error.code == code, "\(error)", sourceLocation: location)
    }
    var twin = self
    change(&twin)
    #expect(throws: Never.self, sourceLocation: location) { try twin.decision() }
  }
}
