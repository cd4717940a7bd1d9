import JSONWebTokens
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

@testable import AccessControl

/// The JSON form of claims, from the ID token of a provider to what a relying party reads.
@Suite("The form of claims in tokens and UserInfo of the local Access Control Service")
struct ClaimFormTests {
  private let namespace: ServiceNamespace
  private let now = SiteFixture.now

  init() throws {
    var web = RelyingParty(realm: "web", format: .jwt, ruleGroups: ["all"])
    web.clientSecret = Secret("secret of web")
    namespace = try SiteFixture.namespacePassingAll(to: [web])
  }

  /// The claims that a token with these members has.
  private static func claims(_ members: String) throws -> ClaimSet {
    let parts = [#"{"alg":"HS256"}"#, "{\(members)}", "signature"].map {
      Base64.encode(Array($0.utf8), .url)
    }
    return try JSONWebToken(parsing: Array(parts.joined(separator: ".").utf8)).unverifiedClaims
  }

  private static func payload(_ token: [UInt8]) throws -> [UInt8] {
    try Base64.decode(Array(token.split(separator: UInt8(ascii: "."))[1]), .url)
  }

  /// What each reader gets of a person with these members: an ID token, a JSON Web Token, an access token and UserInfo.
  private func answers(_ members: String) throws -> [(reader: String, json: [UInt8])] {
    let subject = SignedInSubject(try Self.claims(members), from: .provider("up"), name: "ada")
    let party = try namespace.relyingParty("web")
    return [
      ("ID token", try Self.payload(namespace.idToken(subject, to: party, nonce: nil, at: now))),
      ("JWT", try Self.payload(namespace.issue(subject, to: party, at: now).octets)),
      (
        "access token",
        try Self.payload(
          namespace.accessToken(
            subject, to: party, client: "web", scopes: [], id: "a", at: now))
      ),
      (
        "UserInfo",
        try namespace.userInfo(subject, to: party, scopes: ["openid"], at: now)
      ),
    ]
  }

  @Test("A text, a number, a boolean, an object and a list come out as they went in")
  func kept() throws {
    let members = [
      "urn:text": "\"red\"", "urn:digits": "\"42\"", "urn:number": "42", "urn:fraction": "1.5",
      "urn:yes": "true", "urn:word": "\"true\"", "urn:object": "{\"a\":[1]}",
      "urn:list": "[\"red\",\"blue\"]", "urn:mixed": "[\"red\",7]",
    ]
    let text = members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
    for (reader, json) in try answers(text) {
      let text = String(decoding: json, as: UTF8.self)
      for (name, value) in members {
        #expect(text.contains("\"\(name)\":\(value)"), "\(reader): \(text)")
      }
    }
  }

  @Test("Groups, roles and entitlements are lists for each reader, whatever the provider sends")
  func lists() throws {
    for (value, expected) in [
      ("\"staff\"", ["staff"]), ("[\"staff\"]", ["staff"]),
      ("[\"staff\",\"dev\"]", ["staff", "dev"]),
    ] {
      let text = ["groups", "roles", "entitlements"].map { "\"\($0)\":\(value)" }
        .joined(separator: ",")
      for (reader, octets) in try answers(text) {
        let json = try JSONParser.parse(octets)
        for name in ["groups", "roles", "entitlements"] {
          #expect(json[name]?.array?.map(\.string) == expected, "\(reader), \(name): \(value)")
        }
      }
    }
  }
}
