import Claims
import Foundation
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

@testable import AccessControl

/// What UserInfo and an exchange give of a claim, by the provider that a rule names and the one that stated the claim:
/// docs/two-providers.md has the table, and nothing here says it again.
@Suite("Whose word a claim is at acs: the table of the documentation")
struct StatedClaimTests {
  private static let now = Instant(secondsSinceEpoch: 1_700_000_000)
  private static let type = ClaimType("urn:role")
  private static let providers = ["staff", "students"]
  private static let uses = ["UserInfo", "exchange"]
  private static let words = [["staff"], ["students"], ["staff", "students"]]
  private static let people = [
    ("staff", true), ("students", true), ("staff", false), ("students", false),
  ]

  private static func namespace(_ from: [String]) throws -> ServiceNamespace {
    var party = RelyingParty(realm: "app", format: .jwt, ruleGroups: ["all"])
    party.clientSecret = Secret("a secret")
    party.exchange.clients = ["app"]
    let names = providers.map { ClaimRule(ClaimCondition(.provider($0), type: .name)) }
    let roles = from.map { ClaimRule(ClaimCondition(.provider($0), type: type)) }
    return try ServiceNamespace(
      issuer: "https://acs.example/", relyingParties: [party],
      providers: providers.map { ACSIdentityProvider(id: $0, name: $0, .testPeople([])) },
      ruleGroups: [RuleGroup("all", rules: names + roles)],
      keys: NamespaceKeys(identifiers: SymmetricKey(bytes: SiteFixture.identifiers)))
  }

  private static func cell(
    _ use: String, _ from: [String], _ provider: String, _ isStated: Bool
  ) throws -> String {
    let namespace = try namespace(from)
    let party = try namespace.relyingParty("app")
    let subject = SignedInSubject(
      ClaimSet([Claim(.name, "Ada")] + (isStated ? [Claim(type, "x")] : [])),
      from: .provider(provider), name: "ada")
    let isThere: Bool
    if use == "UserInfo" {
      let octets = try namespace.userInfo(subject, to: party, scopes: ["openid"], at: now)
      isThere = try JSONParser.parse(octets)[type.name] != nil
    } else {
      let decision = try namespace.decide(
        TokenClient(party, isConfidential: true), by: .exchange, .format(.jwt), for: party,
        about: subject, at: now)
      isThere = decision.claims.contains { $0.claim.type == type }
    }
    return isThere ? "there" : "empty"
  }

  @Test("Each cell is what acs does, and no use or word is without a line")
  func table() throws {
    let path = TestVector.packageRoot.appending(path: "docs/two-providers.md")
    let documented = try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
      .map(String.init).filter { $0.hasPrefix("| `acs` |") }
    var made: [String] = []
    for use in Self.uses {
      for from in Self.words {
        let cells = try Self.people.map { try Self.cell(use, from, $0, $1) }
        let shown = from.map { "`\"\($0)\"`" }.joined(separator: " and ")
        made.append("| " + (["`acs`", use, shown] + cells).joined(separator: " | ") + " |")
      }
    }
    #expect(documented == made)
  }
}
