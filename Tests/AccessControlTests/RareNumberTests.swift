import AccessControl
import HTTPExchange
import RedisStores
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

/// The numbers of Access Control Service that no other test of this folder provokes.
@Suite("Rare numbers of the local Access Control Service")
struct RareNumberTests {
  private static func namespace() throws -> ServiceNamespace {
    let fixture = try SiteFixture()
    let crowd = (0..<1_001).map { Claim(ClaimType("urn:claim:\($0)"), "x") }
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
    ] {
      let response = try await fixture.press(
        person, SignInContext(.passive, realm: realm, provider: "Google"))
      #expect(response.status == status, "\(number)")
      #expect(response.text.contains("note \(number): "), "\(number): \(response.text)")
    }
    // Nobody is asked to sign in for a token that cannot be encrypted.
    let secret = try await fixture.get(
      fixture.link(SignInContext(.passive, realm: "uri:secret", provider: "Google")))
    #expect(secret.status == 400 && secret.text.contains("note ACS20000: "), "\(secret.text)")
    #expect(secret.text.contains("code issuing.unencrypted"), "\(secret.text)")
    let fine = try await fixture.press(
      "0", SignInContext(.passive, realm: "uri:plain", provider: "Google"))
    #expect(fine.text.hasPrefix("form https://plain.example/"))
  }

  @Test("A provider's error has the number of its kind")
  func providers() async throws {
    let failed = try await SiteFixture(Self.namespace()).press(
      "fail", SignInContext(.passive, realm: "uri:plain", provider: "Google"))
    #expect(failed.status == 400 && failed.text.contains("note ACS20001: "))
    // Of one without place and expectation there is no empty paragraph.
    let bare = try await SiteFixture(Self.namespace()).get("/v2/sign-out")
    #expect(bare.text.contains("What to do: ") && !bare.text.contains("note \n"), "\(bare.text)")
  }

  @Test(
    "A store that is away is no fault of what was presented; a token endpoint has its own at Facebook"
  )
  func places() {
    let away = TokenError(.storeUnavailable)
    let places: [ACSRefusal.Place] = [
      .request, .assertion(.jwt), .provider(.federation), .provider(.openID),
    ]
    for place in places { #expect(ACSRefusal(away, at: place).number.number == 60_021) }
    let old = TokenError(.expired, node: "token_endpoint")
    for (kind, number) in [
      (ACSRefusal.ProviderProtocol.facebook, 40_001), (.federation, 20_001), (.openID, 30_000),
    ] { #expect(ACSRefusal(old, at: .provider(kind)).number.number == number) }
    #expect(ACSRefusal(TokenError(.expired), at: .provider(.facebook)).number.number == 40_000)
  }

  @Test("The issuer is the address of a host with the slash, and nothing behind it")
  func issuers() throws {
    let namespace = try Self.namespace()
    func site(_ issuer: String) throws {
      _ = try AccessControlSite(
        NamespaceStore(
          ServiceNamespace(
            issuer: issuer, relyingParties: namespace.relyingParties,
            providers: namespace.providers, ruleGroups: namespace.ruleGroups,
            keys: namespace.keys)), pages: PlainPages())
    }
    try site("https://acs.example/")
    for issuer in [
      "https://acs.example/a/", "https://acs.example/?a=/", "https://acs.example", "acs/",
      "http://acs.example/",
    ] {
      #expect(throws: TokenError(.signInConfiguration), "\(issuer)") { try site(issuer) }
    }
  }

  @Test("The metadata names a type of claims once, however many rules give it")
  func claimTypes() async throws {
    let rules = ["a", "b"].map {
      ClaimRule(ClaimCondition(.provider("Google"), value: $0), outputType: "urn:twice")
    }
    let namespace = try Self.namespace()
    let fixture = try SiteFixture(
      ServiceNamespace(
        issuer: namespace.issuer, relyingParties: [], providers: namespace.providers,
        ruleGroups: [RuleGroup("default", rules: rules)], keys: namespace.keys))
    let text = try await fixture.get("/FederationMetadata/2007-06/FederationMetadata.xml").text
    #expect(text.ranges(of: "\"urn:twice\"").count == 1, "\(text)")
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
