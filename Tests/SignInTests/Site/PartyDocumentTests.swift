import IdentityProviderTesting
import TestSupport
import Testing

@testable import SignIn

@Suite("What sign-in takes from documents and errors")
struct PartyDocumentTests {
  private static let now = Instant(secondsSinceEpoch: 1_893_499_200)
  private let idp: IdentityProviderSimulator

  init() throws { idp = try IdentityProviderSimulator() }

  private func provider(_ name: String, _ attributes: String = "") throws -> String {
    let document = try IdentityProviderMetadata(
      entityID: name, certificates: [idp.certificate], signOn: name + "sso"
    ).document()
    return String(decoding: document, as: UTF8.self)
      .replacing(/^<\?xml.*?\?>\s*/, with: "")
      .replacing("EntityDescriptor ", with: "EntityDescriptor \(attributes) ")
  }

  private func wiki() throws -> String {
    let document = try ServiceProviderMetadata(
      entityID: "https://wiki.example/", consumer: "https://wiki.example/acs"
    ).document()
    return String(decoding: document, as: UTF8.self).replacing(/^<\?xml.*?\?>\s*/, with: "")
  }

  private func issuer(_ documents: [String], entityID: String? = nil) throws -> String {
    let service = try ServiceProvider(
      entityID: "https://app.example/saml", consumer: HTTPURL("https://app.example/saml/acs"))
    let all = """
      <md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">\(documents.joined())\
      </md:EntitiesDescriptor>
      """
    return try SignInProvider.saml(
      id: "idp", name: nil, metadata: Array(all.utf8), signedBy: nil, entityID: entityID,
      service: service, at: Self.now
    ).issuer
  }

  @Test("A document is of one provider that is valid now, or of the one that is named")
  func one() throws {
    let (one, two) = ("https://one.example/", "https://two.example/")
    let both = [try provider(one), try provider(two)]
    #expect(try issuer([both[0]]) == one)
    #expect(throws: TokenError(.signInConfiguration)) { try issuer(both) }
    for name in [one, two] { #expect(try issuer(both, entityID: name) == name) }
    #expect(throws: TokenError(.signInConfiguration)) {
      try issuer(both, entityID: "https://three.example/")
    }
    #expect(throws: TokenError(.signInConfiguration)) { try issuer([]) }
  }

  @Test("A provider whose metadata has expired is none, and nor is a service")
  func fitting() throws {
    let one = "https://one.example/"
    let old = try provider(one, "validUntil=\"2020-01-01T00:00:00Z\"")
    #expect(throws: TokenError(.signInConfiguration)) { try issuer([old]) }
    #expect(try issuer([try provider("https://two.example/"), old]) == "https://two.example/")
    #expect(try issuer([try wiki(), try provider(one)]) == one)
    #expect(throws: TokenError(.signInConfiguration)) { try issuer([try wiki()]) }
  }

  @Test("The earliest end of role, entity and group ends a provider", arguments: [0, 1, 2])
  func ends(part: Int) throws {
    func ends(_ instant: String) throws -> String {
      let end = "validUntil=\"\(instant)\" "
      var text = try provider("https://one.example/", part == 1 ? end : "")
      if part == 0 {
        text = text.replacing("<md:IDPSSODescriptor ", with: "<md:IDPSSODescriptor \(end)")
      }
      guard part == 2 else { return text }
      return "<md:EntitiesDescriptor \(end)>\(text)</md:EntitiesDescriptor>"
    }
    #expect(throws: TokenError(.signInConfiguration)) {
      try issuer([ends("2020-01-01T00:00:00Z")])
    }
    #expect(try issuer([ends("2099-01-01T00:00:00Z")]) == "https://one.example/")
  }

  @Test("An address of metadata is for one provider")
  func source() throws {
    let address = try HTTPURL("https://federation.example/metadata")
    let proof = MetadataProof.signature([TrustedKey(.certificate(idp.certificate))])
    for names in [nil, [], ["urn:a", "urn:b"]] as [[String]?] {
      #expect(throws: TokenError(.signInConfiguration)) {
        try SignInProvider.only(
          MetadataSource(aggregateAt: address, entityIDs: names, proof: proof))
      }
    }
    let one = MetadataSource(aggregateAt: address, entityIDs: ["urn:a"], proof: proof)
    #expect(try SignInProvider.only(one) == "urn:a")
  }

  @Test("Artifacts are resolved where the provider says so, and at no other of its endpoints")
  func resolution() throws {
    let soap = "Binding=\"urn:oasis:names:tc:SAML:2.0:bindings:SOAP\""
    let endpoints = """
      <md:ArtifactResolutionService \(soap) Location="https://one.example/resolve" index="1"/>\
      <md:ManageNameIDService \(soap) Location="https://one.example/manage" index="2"/>\
      <md:SingleSignOnService
      """
    let document = try provider("https://one.example/")
      .replacing("<md:SingleSignOnService", with: endpoints)
    #expect(document.contains("ManageNameIDService"))
    var reader = try MetadataReader()
    let entities = try reader.consume(Array(document.utf8)) + reader.finish()
    let entity = try #require(entities.first)
    let read = try #require(try IdentityProvider(entity))
    #expect(
      read.artifactResolution.mapValues(\.text) == [1: "https://one.example/resolve"])
  }

  @Test("A session is of a provider that is configured, by its identifier and its issuer")
  func configured() throws {
    let site = try SignInSiteTests.site([idp], ManualTime(), MemorySessionStore())
    func isConfigured(_ provider: String, _ issuer: String) -> Bool {
      site.isConfigured(
        SignedInSession(
          principal: FederatedPrincipal(
            issuer: issuer, subject: "ada", claims: ClaimSet(), format: .saml20,
            issuerSession: IssuerSession(), warnings: []),
          provider: provider, begun: Self.now, end: Self.now, lastUse: Self.now))
    }
    #expect(isConfigured("p0", idp.entityID))
    #expect(!isConfigured("p1", idp.entityID) && !isConfigured("P0", idp.entityID))
    #expect(!isConfigured("p0", "https://other.example/"))
  }

  @Test("Of what an error found a person sees the difference of two clocks alone")
  func shown() {
    func sentence(
      _ code: TokenError.Code, _ found: String, differing difference: String? = nil
    ) -> String {
      let error =
        difference.map { TokenError(code, found: found, .difference($0)) }
        ?? TokenError(code, found: found)
      return RefusalPage(error, reference: "1", retry: nil).sentence
    }
    let difference = "2030-01-01T12:00:00Z, expired 9 minutes ago"
    #expect(
      sentence(.expired, difference, differing: "9 minutes").contains("9 minutes ago"))
    #expect(
      sentence(.notYetValid, "12:00, 9 minutes too early", differing: "9 minutes")
        .contains("9 minutes"))
    #expect(!sentence(.signInUnknown, difference).contains("9 minutes"))
    for found in [
      "2030-01-01T12:00:00Z, expired evil", "evil ago", "12:00, expired evil words",
    ] {
      #expect(!sentence(.expired, found).contains("ev"))
    }
  }
}
