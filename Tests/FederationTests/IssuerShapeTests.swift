import Federation
import TestSupport
import Testing

/// Verdicts are tested with all vectors in ``VectorTests``; here is what else the pages of docs/issuers promise.
@Suite("Tokens in the shape of well-known issuers")
struct IssuerShapeTests {
  static let issuers = [
    "adfs", "entra", "okta", "auth0", "google", "keycloak", "shibboleth", "simplesaml", "ping",
    "onelogin", "acs",
  ]
  static let vectors = TestVector.all.filter { $0.id.hasPrefix("issuers/") }

  @Test("Each issuer has a token that is accepted and a twin that is refused", arguments: issuers)
  func twins(issuer: String) {
    let own = Self.vectors.filter { $0.id.hasPrefix("issuers/\(issuer)-") }
    #expect(own.contains { $0.accepts } && own.contains { !$0.accepts })
    #expect(own.allSatisfy { !$0.note.isEmpty })
  }

  @Test("Every vector is of an issuer of the list")
  func listed() {
    #expect(
      Self.vectors.allSatisfy { vector in
        Self.issuers.contains { vector.id.hasPrefix("issuers/\($0)-") }
      })
  }

  @Test(
    "A quirk that the pages call a warning is one, and the only one",
    arguments: [
      ("adfs-saml20", []), ("adfs-wsfed", []), ("adfs-encrypted", ["encryption"]),
      ("entra-saml20", []), ("entra-wsfed", []), ("okta-saml20", []),
      ("okta-encrypted", ["encryption"]), ("auth0-saml20", ["signature"]),
      ("auth0-sha1-allowed", ["legacy", "legacy", "signature"]), ("google-saml20", []),
      ("keycloak-saml20", ["attribute"]), ("keycloak-encrypted", ["encryption", "attribute"]),
      ("shibboleth-encrypted", []), ("shibboleth-cbc", ["encryption"]),
      ("simplesaml-saml20", []), ("simplesaml-wsfed", ["confirmation"]), ("ping-saml20", []),
      ("onelogin-saml20", []), ("onelogin-no-destination", []),
      ("onelogin-expired-certificate", ["certificate"]), ("acs-swt", []), ("acs-wsfed", []),
    ] as [(String, [String])])
  func warnings(name: String, kinds: [String]) throws {
    let vector = try #require(Self.vectors.first { $0.id == "issuers/\(name)" })
    let warnings = try vector.report(on: vector.token).get().warnings
    #expect(warnings.map { String($0.prefix { $0 != ":" }) } == kinds, "\(warnings)")
  }

  @Test(
    "Entra ID's marks of groups that it left out are claims",
    arguments: [
      ("entra-jwt-overage", "_claim_names"),
      ("entra-groups-link", "http://schemas.microsoft.com/claims/groups.link"),
    ])
  func overage(name: String, type: String) throws {
    let vector = try #require(Self.vectors.first { $0.id == "issuers/\(name)" })
    let claims = try vector.report(on: vector.token).get().claims
    #expect(claims[ClaimType(type)].count == 1)
    #expect(!claims.contains { $0.type.name.hasSuffix("groups") })
  }
}
