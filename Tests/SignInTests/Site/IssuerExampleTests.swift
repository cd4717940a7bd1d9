import SignIn
import TestSupport
import Testing

@Suite("The Swift lines of docs/issuers")
struct IssuerExampleTests {
  private static func examples() throws -> IssuerExamples {
    let settings = try SiteSettings(origin: HTTPURL("https://rp.example/").origin)
    return IssuerExamples(
      settings: settings,
      service: try ServiceProvider(
        entityID: "https://rp.example/saml", consumer: settings.address("saml/acs")),
      transport: ScriptedTransport([]), secret: Secret("s3cret"))
  }

  @Test("Each page's lines make a provider of the protocol that the page chooses")
  func providers() throws {
    let examples = try Self.examples()
    let metadata = TestVector.bytes("metadata/entity.xml")
    let signer = try VerificationKey(pemOrDER: TestVector.bytes("keys/idp-rsa.crt"))
    let made = [
      try examples.adfs(), try examples.entra(), try examples.okta(metadata: metadata),
      try examples.auth0(), try examples.google(metadata: metadata), try examples.keycloak(),
      try examples.shibboleth(signer: signer), try examples.simplesamlphp(),
      try examples.pingfederate(metadata: metadata), try examples.onelogin(), try examples.acs(),
    ]
    let kinds = made.map { type(of: $0.method).kind.rawValue }
    #expect(
      kinds == [
        "wsFederation", "openID", "saml2", "openID", "saml2", "openID", "saml2", "saml2", "saml2",
        "saml2", "wsFederation",
      ])
    #expect(made.filter(\.acceptsUnsolicited).map(\.id) == ["google"])
  }
}
