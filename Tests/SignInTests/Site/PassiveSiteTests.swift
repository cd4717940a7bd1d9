import Foundation
import IdentityProviderTesting
import SignIn
import TestSupport
import Testing

@Suite("The WS-Federation routes of a site")
struct PassiveSiteTests {
  private let site: SignInSite
  private let idp: IdentityProviderSimulator

  init() throws {
    idp = try IdentityProviderSimulator()
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
          registry: StaticRegistry(
            Trust(
              issuers: [TrustedIssuer("urn:adfs", keys: [.certificate(idp.certificate)])],
              audiences: .oneOf([]))))
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

  @Test(
    "A picture on a page of the issuer ends the session, which it does not bring, and nobody else's"
  )
  func cleanupPicture() async throws {
    let (browser, other) = (Browser(site), Browser(site))
    try await signIn(browser)
    try await signIn(other)
    let session = Secret(try #require(browser.cookies["__Host-session"]))
    let end = Secret(try #require(browser.cookies["__Host-session-end"]))
    #expect(try await site.session(cookie: end) == nil, "it opens nothing")
    let picture = try await browser.send(
      "GET", "/wsfed?wa=wsignoutcleanup1.0", cause: .foreignPicture)
    #expect(picture.status == 200 && picture.fields["Content-Type"] == "image/gif")
    #expect(try await site.session(cookie: session) == nil)
    #expect(try await site.session(of: other.request("/")) != nil)
    #expect(browser.cookies["__Host-session-end"] == nil)
    // What another service sealed ends nothing.
    let forged = Browser(site)
    forged.set("__Host-session-end", String(repeating: "A", count: 80))
    _ = try await forged.send("GET", "/wsfed?wa=wsignoutcleanup1.0")
    #expect(try await site.session(of: other.request("/")) != nil)
  }

  private func signIn(_ browser: Browser) async throws {
    let begun = try await browser.send("GET", "/sign-in")
    let location = try #require(begun.fields["Location"])
    let context = String(try #require(location.firstMatch(of: /wctx=([0-9a-f]{40})/)).1)
    var draft = TokenDraft(
      issuer: "urn:adfs", audiences: ["urn:app"], issuedAt: ManualTime().now,
      id: "_" + UUID().uuidString)
    draft.subject = "ada"
    let result = try SAMLIssuer(.v1, key: idp.key).tokenResponse(draft)
    let response = try await browser.send(
      "POST", "/wsfed",
      body: IdentityProviderSimulator.form([
        ("wa", "wsignin1.0"), ("wctx", context),
        ("wresult", String(decoding: result, as: UTF8.self)),
      ]))
    #expect(response.status == 303, "\(response.text)")
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
