import AccessControl
import JSONWebTokens
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

/// The form of claims that a person may have several values of.
@Suite("Claims with several values in tokens of the local Access Control Service")
struct ListedClaimTests {
  private let namespace: ServiceNamespace
  private let now = SiteFixture.now

  init() throws {
    var web = RelyingParty(realm: "web", format: .jwt, ruleGroups: ["all"])
    web.clientSecret = Secret("secret of web")
    var simple = RelyingParty(realm: "simple", format: .swt, ruleGroups: ["all"])
    simple.key = try SymmetricKey(bytes: [UInt8](repeating: 5, count: 32))
    namespace = try SiteFixture.namespacePassingAll(to: [web, simple])
  }

  private func subject(_ claims: [Claim], methods: [String] = []) -> SignedInSubject {
    var subject = SignedInSubject(ClaimSet(claims), from: .provider("up"), name: "ada")
    subject.methods = methods
    return subject
  }

  /// The payload of an ID token.
  private func idToken(_ subject: SignedInSubject) throws -> JSONValue {
    let octets = try namespace.idToken(
      subject, to: namespace.relyingParty("web"), nonce: nil, at: now)
    let parts = octets.split(separator: UInt8(ascii: "."))
    return try JSONParser.parse(Base64.decode(Array(parts[1]), .url))
  }

  @Test("Groups, roles, entitlements and methods are arrays, with one value as with two")
  func arrays() throws {
    for values in [["staff"], ["staff", "dev"]] {
      let claims = ["groups", "roles", "entitlements"].flatMap { name in
        values.map { Claim(ClaimType(name), $0) }
      }
      let token = try idToken(subject(claims, methods: values))
      for name in ["groups", "roles", "entitlements", "amr"] {
        #expect(token[name]?.array?.map(\.string) == values, "\(name)")
      }
    }
    let plain = try idToken(subject([Claim("urn:team", "red")]))
    #expect(plain["urn:team"]?.string == "red" && plain["amr"] == nil)
  }

  private func simple(_ claims: [Claim]) throws -> IssuedToken {
    try namespace.issue(subject(claims), to: namespace.relyingParty("simple"), at: now)
  }

  @Test("A value with a comma is left out of a Simple Web Token where readers would split it")
  func commas() throws {
    let person = Claim(.nameIdentifier, "ada")
    for type in [ClaimType.role, "groups", "http://schemas.xmlsoap.org/claims/Group"] {
      let token = try simple([person, Claim(type, "guests,admin")])
      #expect(token.leftOut == [type])
      let read = try SimpleWebToken(parsing: token.octets)
      #expect(!read.unverifiedClaims.contains { $0.type == type })
      #expect(try simple([person, Claim(type, "guests"), Claim(type, "admin")]).leftOut == [])
    }
    // A person's name has a comma, and nobody splits it; of two values of any type one with a comma would be three.
    #expect(try simple([person, Claim(.name, "Lovelace, Ada")]).leftOut == [])
    let several = try simple([person, Claim("urn:x", "a,b"), Claim("urn:x", "c")])
    #expect(several.leftOut == ["urn:x"])
  }

  @Test("A person in 500 groups gets a token with each of them")
  func manyGroups() throws {
    let groups = (0..<500).map { "group \($0)" }
    let token = try idToken(subject(groups.map { Claim("groups", $0) }))
    #expect(token["groups"]?.array?.count == 500)
  }
}
