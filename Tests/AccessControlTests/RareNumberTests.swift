import AccessControl
import HTTPExchange
import Octets
import SecurityKeys
import TestSupport
import Testing

/// The numbers of Access Control Service that no other test of this folder provokes.
@Suite("Rare numbers of the local Access Control Service")
struct RareNumberTests {
  private static func namespace() throws -> ServiceNamespace {
    let fixture = try SiteFixture()
    let crowd = (0..<81).map { Claim(ClaimType("urn:claim:\($0)"), "x") }
    let provider = ACSIdentityProvider(
      id: "Google", name: "Google",
      .testPeople([
        TestPerson(name: "Mia", claims: ClaimSet([Claim(.name, "Mia")])),
        TestPerson(name: "Crowd", claims: ClaimSet(crowd)),
        TestPerson(name: "Bell", claims: ClaimSet([Claim(.name, "a\u{7}b")])),
      ]))
    let group = RuleGroup("default", rules: [ClaimRule(ClaimCondition(.provider("Google")))])
    var secret = RelyingParty(realm: "uri:secret", format: .saml20, ruleGroups: ["default"])
    secret.returnAddresses = [try HTTPURL("https://secret.example/")]
    secret.requiresEncryption = true
    var plain = RelyingParty(realm: "uri:plain", format: .saml20, ruleGroups: ["default"])
    plain.returnAddresses = [try HTTPURL("https://plain.example/")]
    return try ServiceNamespace(
      issuer: "https://acs.example/", relyingParties: [secret, plain], providers: [provider],
      ruleGroups: [group], keys: NamespaceKeys(signing: fixture.signing))
  }

  @Test("A claim that XML cannot carry, too many claims, no certificate to encrypt for")
  func issuing() async throws {
    let fixture = try SiteFixture(Self.namespace())
    for (realm, person, number, status) in [
      ("uri:plain", "2", "ACS20001", 400), ("uri:plain", "1", "ACS60000", 400),
      ("uri:secret", "0", "ACS50005", 500),
    ] {
      let response = try await fixture.press(
        person, SignInContext(.passive, realm: realm, provider: "Google"))
      #expect(response.status == status, "\(number)")
      #expect(response.text.contains("note \(number): "), "\(number): \(response.text)")
    }
    let fine = try await fixture.press(
      "0", SignInContext(.passive, realm: "uri:plain", provider: "Google"))
    #expect(fine.text.hasPrefix("form https://plain.example/"))
  }

  @Test("A provider's error has the number of its kind")
  func providers() async throws {
    let failed = try await SiteFixture(Self.namespace()).press(
      "fail", SignInContext(.passive, realm: "uri:plain", provider: "Google"))
    #expect(failed.status == 400 && failed.text.contains("note ACS20001: "))
  }

  @Test("Without a certificate there is no metadata, of either kind")
  func metadata() async throws {
    let keyless = try SiteFixture(keys: false)
    for path in ["/FederationMetadata/2007-06/FederationMetadata.xml", "/v2/saml/metadata"] {
      let refused = try await keyless.get(path)
      #expect(refused.status == 400 && refused.text.contains("note ACS20002: "), "\(path)")
      #expect(try await SiteFixture().get(path).status == 200)
    }
  }

  @Test("A JSON Web Token about itself signs a program in; an old one has its number")
  func assertions() async throws {
    let fixture = try SiteFixture()
    func post(
      _ key: UInt8 = 8, issuedAt: Instant = SiteFixture.now,
      audience: String = "https://acs.example/", subject: String? = "uploader"
    ) async throws -> (Int, String) {
      let token = try JSONWebToken.mint(
        TokenDraft(
          issuer: "uploader", audiences: [audience], subject: subject, issuedAt: issuedAt),
        key: SymmetricKey(bytes: [UInt8](repeating: key, count: 32)))
      let response = try await fixture.post(
        "/v2/OAuth2-13",
        [
          ("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"),
          ("assertion", String(decoding: token, as: UTF8.self)),
          ("scope", "uri:talks.example.org"),
        ])
      return (response.status, response.text)
    }
    let good = try await post()
    #expect(good.0 == 200, "\(good.1)")
    let elsewhere = try await post(audience: "https://acs.example/v2/OAuth2-13")
    #expect(elsewhere.0 == 200)
    for (answer, number) in [
      (try await post(issuedAt: SiteFixture.now.advanced(bySeconds: -86_400)), "ACS50027"),
      (try await post(9), "ACS50006"), (try await post(audience: "https://x/"), "ACS50010"),
      (try await post(subject: nil), "ACS50027"), (try await post(subject: "other"), "ACS50027"),
    ] { #expect(answer.0 == 401 && answer.1.contains(number), "\(answer.1)") }
  }
}
