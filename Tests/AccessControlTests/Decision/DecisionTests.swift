import Claims
import HTTPExchange
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

@testable import AccessControl

/// The decision to issue a token, without a request around it.
struct DecisionTests {
  typealias Situation = DecisionSituation

  /// Refused by the restriction alone: the twin without it is issued.
  private func expect(
    _ code: TokenError.Code, _ situation: Situation, unless change: (inout Situation) -> Void,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    try situation.expect(code, unless: change, location)
  }

  @Test(
    "A client with a secret gets people's tokens by OpenID Connect and by no protocol of the browser beside it"
  )
  func defaultsOfAConfidentialClient() throws {
    for entrance in [PartyProtocol.wsFederation, .saml, .javascriptnotify] {
      var situation = Situation()
      situation.party.clientSecret = Secret("secret")
      situation.entrance = entrance
      try expect(.issuingProtocol, situation) { $0.party.listedProtocols = [entrance] }
      try expect(.issuingProtocol, situation) { $0.entrance = .openID }
    }
  }

  @Test(
    "Without secret and metadata every protocol of the browser but javascriptnotify and SAML gives tokens"
  )
  func defaultsOfAnyParty() throws {
    var situation = Situation()
    situation.entrance = .javascriptnotify
    try expect(.issuingProtocol, situation) { $0.entrance = .wsFederation }
    try expect(.issuingProtocol, situation) { $0.entrance = .openID }
    try expect(.issuingProtocol, situation) { $0.party.listedProtocols = [.javascriptnotify] }
  }

  @Test(
    "A service identity gets a person's token by draft 13 where the party names it, and the refusal says the line"
  )
  func draft13() throws {
    var situation = Situation()
    situation.entrance = .draft13
    situation.party.exchange.clients = ["game"]
    try expect(.issuingProtocol, situation) { $0.party.exchange.draft13Clients = ["game"] }
    do {
      _ = try situation.decision()
    } catch let error as TokenError {
      #expect(error.expected == "\"draft13For\": [\"game\"] at this relying party")
    }
  }

  @Test(
    "Another party's access token needs resourceFor, and an exchanged or redeemed one exchangeFor")
  func namedClients() throws {
    var situation = Situation(entrance: .openID, kind: .accessToken, isOwn: false)
    try expect(.issuingProtocol, situation) { $0.party.exchange.resourceClients = ["chat"] }
    for entrance in [PartyProtocol.exchange, .assertionGrants] {
      situation.entrance = entrance
      try expect(.issuingProtocol, situation) { $0.party.exchange.clients = ["chat"] }
    }
  }

  @Test(
    "Another party's access token needs a client that takes OpenID Connect itself, and a grant a provider that gives some"
  )
  func clientsAndGrants() throws {
    var situation = Situation(entrance: .openID, kind: .accessToken, isOwn: false)
    situation.party.exchange.resourceClients = ["chat"]
    situation.client.listedProtocols = [.wsFederation]
    try expect(.issuingProtocol, situation) { $0.client.listedProtocols = [.openID] }
    situation = Situation(grants: nil, entrance: .assertionGrants, isOwn: false)
    situation.party.exchange.clients = ["chat"]
    try expect(.exchangeGrant, situation) { $0.grants = .once }
    try expect(.exchangeGrant, situation) { $0.entrance = .exchange }
  }

  @Test("A list of protocols binds service identities, too")
  func programs() throws {
    for entrance in [PartyProtocol.wrap, .wsTrust, .draft13, .openID, .assertionGrants] {
      var situation = Situation(entrance: entrance, isProgram: true)
      situation.party.listedProtocols = [.wsFederation]
      try expect(.issuingProtocol, situation) { $0.party.listedProtocols = nil }
      try expect(.issuingProtocol, situation) { $0.party.listedProtocols = [entrance] }
    }
  }

  @Test(
    "A person of a provider that the party, or the client of the sign-in, does not offer gets no token"
  )
  func providers() throws {
    var situation = Situation()
    situation.party.providers = ["other"]
    try expect(.issuingProvider, situation) { $0.party.providers = ["campus"] }
    situation = Situation(entrance: .openID, kind: .accessToken, isOwn: false)
    situation.party.exchange.resourceClients = ["chat"]
    situation.client.providers = ["other"]
    try expect(.issuingProvider, situation) { $0.client.providers = nil }
    situation.client.providers = nil
    situation.providers = ["other"]
    try expect(.issuingProvider, situation) { $0.providers = ["campus"] }
  }

  @Test("A client that the file does not have gets no token")
  func absence() throws {
    var situation = Situation(entrance: .exchange, isOwn: false)
    situation.party.exchange.clients = ["chat"]
    situation.hasClient = false
    try expect(.issuingRealm, situation) { $0.hasClient = true }
    try expect(
      .issuingClient, Situation(hasClient: false, entrance: .wrap, isProgram: true)
    ) { $0.hasClient = true }
  }

  @Test("A party with encryptTo gets no kind of token that cannot be encrypted for it")
  func encryption() throws {
    for kind in [IssuedKind.format(.jwt), .format(.swt), .format(.saml20), .idToken, .accessToken] {
      var situation = Situation(entrance: .openID, kind: kind)
      // An access token of its own needs it (RFC 8707).
      situation.party.exchange.resourceClients = ["api"]
      situation.party.requiresEncryption = true
      try expect(.issuingUnencrypted, situation) { $0.party.requiresEncryption = false }
    }
  }

  @Test(
    "An access token ends within ten minutes, or sooner with the party's lifetime or its subject token"
  )
  func lifetimes() throws {
    var situation = Situation(entrance: .openID, kind: .accessToken)
    situation.party.exchange.resourceClients = ["api"]
    situation.party.lifetime = 86_400
    #expect(try situation.decision().party.lifetime == 600)
    situation.kind = .opaque
    #expect(try situation.decision().party.lifetime == 600)
    situation.kind = .idToken
    #expect(try situation.decision().party.lifetime == 86_400)
    situation.end = Situation.now.advanced(bySeconds: 60)
    #expect(try situation.decision().party.lifetime == 60)
    situation.end = Situation.now
    try expect(.expired, situation) { $0.end = nil }
  }

  @Test(
    "A party with a secret gets the pairwise identifier by exchange, too, unless its identifiers are public"
  )
  func names() throws {
    var situation = Situation(entrance: .exchange, isOwn: false)
    situation.party.clientSecret = Secret("secret")
    situation.party.exchange.clients = ["chat"]
    #expect(try situation.decision().pairwiseName != nil)
    situation.party.hasPublicIdentifiers = true
    #expect(try situation.decision().pairwiseName == nil)
  }

  @Test("Rules that give nothing refuse")
  func rules() throws {
    var situation = Situation()
    situation.party.ruleGroups = []
    try expect(.rulesNoOutput, situation) { $0.party.ruleGroups = ["all"] }
  }
}
