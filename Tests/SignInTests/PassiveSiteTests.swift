import IdentityProviderTesting
import SignIn
import TestSupport
import Testing

@Suite("The WS-Federation routes of a site")
struct PassiveSiteTests {
  private let site: SignInSite

  init() throws {
    let settings = try SiteSettings(origin: HTTPURL("https://app.example/").origin, prefix: "/")
    let own = try IdentityProviderSimulator(key: "rp-rsa")
    let party = try PassiveRelyingParty(
      realm: "urn:app", reply: settings.address("wsfed"),
      encryptionCertificates: [own.certificate])
    let issuer = PassiveIssuer(
      entityID: "urn:adfs", endpoint: try HTTPURL("https://adfs.example/adfs/ls/"))
    site = try SignInSite(
      settings,
      providers: [
        SignInProvider(
          id: "adfs", name: "ADFS", .wsFederation(party, .fixed(issuer)),
          registry: StaticRegistry(Trust(issuers: [], audiences: .oneOf([]))))
      ], pages: PlainPages(), clock: ManualTime())
  }

  @Test("WSF-11: Sign-out of an issuer that redirects goes back to that issuer")
  func cleanupReturns() async throws {
    let response = try await Browser(site).send(
      "GET",
      "/wsfed?wa=wsignoutcleanup1.0&wreply=https%3A%2F%2Fadfs.example%2Fadfs%2Fls%2F%3Fnext%3D2")
    #expect(response.status == 303)
    #expect(response.fields["Location"] == "https://adfs.example/adfs/ls/?next=2")
    #expect(response.fields.values("Set-Cookie").contains { $0.hasPrefix("__Host-session=;") })
  }

  @Test(
    "WSF-11: Sign-out leads nowhere else: it ends the session and answers with an image",
    arguments: [
      "", "&wreply=https%3A%2F%2Fevil.example%2F", "&wreply=http%3A%2F%2Fadfs.example%2F",
      "&wreply=https%3A%2F%2Fadfs.example%3A8443%2F", "&wreply=%2F%2Fevil.example",
      "&wreply=https%3A%2F%2Fadfs.example%40evil.example%2F",
    ])
  func cleanupStays(reply: String) async throws {
    let response = try await Browser(site).send("GET", "/wsfed?wa=wsignoutcleanup1.0" + reply)
    #expect(response.status == 200 && response.fields["Content-Type"] == "image/gif")
    #expect(response.fields["Location"] == nil)
    #expect(response.fields.values("Set-Cookie").contains { $0.hasPrefix("__Host-session=;") })
  }

  @Test("The federation metadata has the realm, the endpoint and the key, as its readers want them")
  func metadata() async throws {
    let document = try await Browser(site).send("GET", "/wsfed/metadata")
    var reader = try MetadataReader()
    let entity = try #require(
      try (reader.consume(document.body) + reader.finish()).first)
    #expect(entity.entityID == "urn:app")
    let role = try #require(entity.roles.first)
    #expect(role.kind == .applicationService)
    #expect(
      role.endpoints.first { $0.name == "PassiveRequestorEndpoint" }?.location
        == "https://app.example/wsfed")
    #expect(role.keys.count == 1)
  }
}
