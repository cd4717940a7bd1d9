import Claims
import HTTPExchange
import JSONWebTokens
import SAML
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

@testable import AccessControl

/// What the entrances decide in the same way before they ask, so that a request does not show it: `decide` alone is asked.
@Suite("Each check of decide refuses by itself")
struct DecisionQuestionTests {
  private typealias Question = DecisionSituation

  private static func recipient() throws -> JSONWebEncryptionRecipient {
    try JSONWebEncryptionRecipient(KeyPairs.pair("recipient").signing.publicKey)
  }

  // MARK: 1. Presence

  @Test("A party that is not in the file has no token; an authorization server need not be a party")
  func party() throws {
    try Question(hasParty: false).expect(.issuingRealm) { $0.hasParty = true }
    let grant = Question(
      hasParty: false, server: (["chat"], "api"), entrance: .exchange, kind: .grant, isOwn: false)
    #expect(throws: Never.self) { try grant.decision() }
  }

  @Test("A client that registered itself has tokens while its relying party is in the file")
  func home() throws {
    for isOwn in [true, false] {
      let question = Question(
        home: "gone", entrance: .openID, kind: isOwn ? .idToken : .accessToken, isOwn: isOwn)
      try question.expect(.issuingRealm) { $0.home = "api" }
    }
  }

  @Test("A service identity that is not in the file gets nothing, by any protocol")
  func identity() throws {
    for entrance in [PartyProtocol.wrap, .wsTrust, .draft13, .openID, .assertionGrants] {
      try Question(hasClient: false, entrance: entrance, isProgram: true)
        .expect(.issuingClient) { $0.hasClient = true }
    }
    var question = Question(hasClient: false, entrance: .draft13)
    question.party.exchange.draft13Clients = ["game"]
    try question.expect(.issuingClient) { $0.hasClient = true }
  }

  // MARK: 2. Protocols and clients

  @Test("OpenID Connect is a protocol of the party itself, as the others are")
  func openID() throws {
    for kind in [IssuedKind.idToken, .opaque, .accessToken] {
      var question = Question(entrance: .openID, kind: kind)
      question.party.listedProtocols = Set(PartyProtocol.allCases).subtracting([.openID])
      question.party.exchange.resourceClients = ["api"]
      try question.expect(.issuingProtocol) { $0.party.listedProtocols = [.openID] }
    }
  }

  @Test("A party that is its own resource is named in resourceFor, also for a token of before")
  func ownResource() throws {
    for kind in [IssuedKind.accessToken, .earlierAccessToken] {
      let question = Question(entrance: .openID, kind: kind)
      try question.expect(.issuingProtocol) { $0.party.exchange.resourceClients = ["api"] }
      try question.expect(.issuingProtocol) { $0.kind = .opaque }
    }
  }

  @Test("No list of protocols, and no member, gives a person's token by WRAP or WS-Trust")
  func programsAlone() throws {
    for entrance in [PartyProtocol.wrap, .wsTrust] {
      var question = Question(entrance: entrance)
      question.party.listedProtocols = Set(PartyProtocol.allCases)
      question.party.exchange.clients = ["api"]
      question.party.exchange.draft13Clients = ["api"]
      try question.expect(.issuingProtocol) { $0.isProgram = true }
    }
  }

  @Test("A client that registered itself gets access tokens of its relying party, and of no other")
  func registered() throws {
    var question = Question(home: "other", entrance: .openID, kind: .accessToken, isOwn: false)
    question.client = RelyingParty(realm: "client-1-2", format: .jwt)
    try question.expect(.issuingProtocol) { $0.home = "api" }
  }

  @Test("What the service says of a program, another client gets as it gets a person's token")
  func programsOfOthers() throws {
    var question = Question(entrance: .exchange, isOwn: false, isProgram: true)
    try question.expect(.issuingProtocol) { $0.party.exchange.clients = ["chat"] }
    question.isOwn = true
    try question.expect(.issuingProtocol) { $0.party.exchange.clients = ["game"] }
    question = Question(entrance: .openID, kind: .accessToken, isOwn: false, isProgram: true)
    try question.expect(.issuingProtocol) { $0.party.exchange.resourceClients = ["chat"] }
  }

  @Test(
    "A grant goes to the clients of an authorization server that knows people as the party does")
  func servers() throws {
    let question = Question(entrance: .exchange, kind: .grant, isOwn: false)
    try question.expect(.issuingProtocol) { $0.server = (["chat"], "api") }
    var other = question
    other.server = (["chat"], "chat")
    try other.expect(.issuingProtocol) { $0.server = (["chat"], "api") }
    other.server = (["else"], "api")
    try other.expect(.issuingProtocol) { $0.server = (["else", "chat"], "api") }
    // exchangeFor names those that get tokens of the party, which a grant is not.
    other = question
    other.party.exchange.clients = ["chat"]
    try other.expect(.issuingProtocol) { $0.server = (["chat"], "api") }
  }

  @Test("A client that shows who acts is one of mayActFor")
  func actors() throws {
    var question = Question(entrance: .exchange, isOwn: false, namesActor: true)
    question.party.exchange.clients = ["chat"]
    try question.expect(.exchangeActor) { $0.party.exchange.actingClients = ["chat"] }
    try question.expect(.exchangeActor) { $0.namesActor = false }
  }

  // MARK: 3. Providers

  @Test("The providers of a client that exchanges are not those of a sign-in")
  func providers() throws {
    var question = Question(entrance: .exchange, isOwn: false)
    question.party.exchange.clients = ["chat"]
    question.client.providers = ["other"]
    #expect(throws: Never.self) { try question.decision() }
    question.party.providers = ["other"]
    try question.expect(.issuingProvider) { $0.party.providers = nil }
  }

  @Test("Whether an assertion is a grant is said by the provider that made it")
  func grants() throws {
    var question = Question(
      providers: ["other", "campus"], entrance: .assertionGrants, isOwn: false)
    question.party.exchange.clients = ["chat"]
    question.grantless = ["campus"]
    try question.expect(.exchangeGrant) { $0.grantless = ["other"] }
  }

  // MARK: 4. Encryption

  @Test(
    "With encryptTo each kind needs what it is encrypted for, and a Simple Web Token has nothing")
  func encryption() throws {
    let certificate = try #require(SiteFixture().signing.certificate)
    for kind in [IssuedKind.idToken, .accessToken, .format(.jwt)] {
      var question = Question(entrance: .openID, kind: kind)
      question.party.exchange.resourceClients = ["api"]
      question.party.requiresEncryption = true
      question.party.recipient = try EncryptionRecipient(certificate)
      let web = try Self.recipient()
      try question.expect(.issuingUnencrypted) { $0.party.webRecipient = web }
    }
    for format in [TokenFormat.saml11, .saml20] {
      var question = Question(kind: .format(format))
      question.party.requiresEncryption = true
      question.party.webRecipient = try Self.recipient()
      let recipient = try EncryptionRecipient(certificate)
      try question.expect(.issuingUnencrypted) { $0.party.recipient = recipient }
    }
    var question = Question(kind: .format(.swt))
    question.party.requiresEncryption = true
    question.party.recipient = try EncryptionRecipient(certificate)
    question.party.webRecipient = try Self.recipient()
    try question.expect(.issuingUnencrypted) { $0.party.requiresEncryption = false }
    (question.isProgram, question.entrance) = (true, .wrap)
    try question.expect(.issuingUnencrypted) { $0.party.requiresEncryption = false }
  }

  @Test("An opaque access token and a grant say nothing in the clear")
  func unreadable() throws {
    var question = Question(server: (["api"], "api"), entrance: .openID, kind: .opaque)
    question.party.requiresEncryption = true
    #expect(throws: Never.self) { try question.decision() }
    (question.entrance, question.kind) = (.exchange, .grant)
    #expect(throws: Never.self) { try question.decision() }
  }

  // MARK: 5. Lifetimes

  @Test(
    "An access token ends within ten minutes at every protocol, a grant within five, others as the party says",
    arguments: PartyProtocol.allCases)
  func lifetimes(entrance: PartyProtocol) throws {
    var question = Question(server: (["api"], "api"), entrance: entrance)
    question.party.listedProtocols = Set(PartyProtocol.allCases)
    question.party.exchange.clients = ["api", "game"]
    question.party.exchange.draft13Clients = ["game"]
    question.party.exchange.resourceClients = ["api"]
    question.isProgram = [.wrap, .wsTrust].contains(entrance)
    for lifetime in [86_400, 60] {
      question.party.lifetime = lifetime
      for (kind, most) in [(IssuedKind.accessToken, 600), (.opaque, 600), (.idToken, 86_400)] {
        question.kind = kind
        #expect(try question.decision().party.lifetime == min(lifetime, most), "\(kind)")
      }
      question.kind = .format(.jwt)
      #expect(try question.decision().party.lifetime == lifetime)
      guard entrance == .exchange else { continue }
      question.kind = .grant
      #expect(try question.decision().party.lifetime == min(lifetime, 300))
    }
    question.kind = .accessToken
    question.party.lifetime = 600
    question.end = Question.now.advanced(bySeconds: 30)
    #expect(try question.decision().party.lifetime == 30)
    question.end = Question.now
    try question.expect(.expired) { $0.end = nil }
  }

  // MARK: 6. Rules

  @Test(
    "Without a subject, and for a grant, there are no claims; rules that give nothing refuse all else"
  )
  func rules() throws {
    var question = Question(isKnown: false)
    question.party.ruleGroups = []
    #expect(try question.decision().claims.isEmpty)
    question.isKnown = true
    try question.expect(.rulesNoOutput) { $0.party.ruleGroups = ["all"] }
    question.server = (["api"], "api")
    (question.entrance, question.kind) = (.exchange, .grant)
    #expect(try question.decision().claims.isEmpty)
    #expect(try !Question().decision().claims.isEmpty)
  }

  // MARK: 7. Names

  private static let formats: [TokenFormat] = [.jwt, .saml20, .saml11, .swt]

  @Test(
    "Without a list no format, and no protocol beside, carries a common name", arguments: formats)
  func pairwise(format: TokenFormat) throws {
    for entrance in [PartyProtocol.exchange, .draft13] {
      var question = Question(entrance: entrance, kind: .format(format), isOwn: false)
      question.party.clientSecret = Secret("secret")
      question.party.exchange.clients = ["chat"]
      question.party.exchange.draft13Clients = ["game"]
      let name = try #require(try question.decision().pairwiseName)
      #expect(name != "ada")
      // A party that is no client of OpenID Connect or SAML knows people by the names of the rules, unless its file says
      // pairwise, or what it gets is exchanged and has the identifier of an access token.
      question.party.clientSecret = nil
      let isKept = entrance == .exchange && (format == .jwt || format == .saml20)
      #expect(try (question.decision().pairwiseName == name) == isKept)
      question.party.demandsPairwiseIdentifiers = true
      #expect(try question.decision().pairwiseName == name)
      question.party.demandsPairwiseIdentifiers = false
      question.party.listedProtocols = [.openID]
      #expect(try question.decision().pairwiseName == name)
      question.party.listedProtocols = [.saml]
      #expect(try question.decision().pairwiseName == name)
      question.party.hasPublicIdentifiers = true
      #expect(try question.decision().pairwiseName == nil)
    }
  }

  @Test(
    "A protocol that the list has carries the name of the rules, but not where JWT or SAML 2.0 are exchanged",
    arguments: formats)
  func listed(format: TokenFormat) throws {
    for entrance in [PartyProtocol.exchange, .draft13, .wsFederation, .javascriptnotify] {
      var question = Question(
        entrance: entrance, kind: .format(format),
        isOwn: entrance == .wsFederation || entrance == .javascriptnotify)
      question.party.exchange.clients = ["chat"]
      question.party.exchange.draft13Clients = ["game"]
      question.party.listedProtocols = [.openID, entrance]
      let isKept = entrance == .exchange && (format == .jwt || format == .saml20)
      #expect(try (question.decision().pairwiseName != nil) == isKept, "\(entrance), \(format)")
    }
  }

  @Test("A name that the rules make is the name of an exchanged assertion, as it is at a sign-in")
  func made() throws {
    let subject = SignedInSubject(
      ClaimSet([Claim(.nameIdentifier, "ada"), Claim(.emailAddress, "a@x.example")]),
      from: .provider("campus"), name: "ada")
    func name(_ value: String, _ more: [Claim] = []) -> String? {
      ServiceNamespace.nameMade(by: [Claim(.nameIdentifier, value)] + more, for: subject)
    }
    #expect(name("a@x.example") == "a@x.example")
    // Passed on from the provider, or two of them.
    #expect(name("ada") == nil)
    #expect(name("a@x.example", [Claim(.nameIdentifier, "b")]) == nil)
    // Other claims beside it are no names.
    #expect(name("a@x.example", [Claim(.emailAddress, "a@x.example")]) == "a@x.example")
    var question = Question(entrance: .exchange, kind: .format(.saml20), isOwn: false)
    question.party.exchange.clients = ["chat"]
    #expect(try question.decision().pairwiseName != nil)
    question.party.ruleGroups = ["made"]
    #expect(try question.decision().pairwiseName == nil)
  }

  @Test("A name that does not last, and a program's, is replaced by none")
  func nameless() throws {
    var question = Question(entrance: .exchange, isOwn: false)
    question.party.clientSecret = Secret("secret")
    question.party.exchange.clients = ["chat"]
    #expect(try question.decision().pairwiseName != nil)
    question.hasName = false
    #expect(try question.decision().pairwiseName == nil)
    (question.hasName, question.isProgram) = (true, true)
    #expect(try question.decision().pairwiseName == nil)
    // SAML responses, ID tokens and access tokens have the identifier by themselves.
    (question.isProgram, question.isOwn) = (false, true)
    question.party.listedProtocols = [.openID, .saml]
    question.party.exchange.resourceClients = ["api"]
    for (entrance, kind) in [
      (PartyProtocol.saml, IssuedKind.format(.saml20)), (.openID, .idToken),
      (.openID, .accessToken),
    ] {
      (question.entrance, question.kind) = (entrance, kind)
      #expect(try question.decision().pairwiseName == nil)
    }
  }
}
