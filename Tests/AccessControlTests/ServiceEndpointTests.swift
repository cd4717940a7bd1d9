import AccessControl
import HTTPExchange
import SAML
import SecurityKeys
import SignIn
import TestSupport
import Testing
import TokenBasics

/// Which endpoints of a service's metadata count, and how its logout requests are answered.
@Suite("Endpoints of SAML 2.0 services at the local Access Control Service")
struct ServiceEndpointTests {
  private static let bindings = "urn:oasis:names:tc:SAML:2.0:bindings:"
  private let service: ServiceProvider
  private let document: String

  init() throws {
    service = try SiteFixture.service("urn:sp", signs: true)
    document = String(decoding: try service.metadata().document(), as: UTF8.self)
  }

  /// The service of a document.
  private func read(_ document: String) throws -> SAMLServiceProvider {
    var reader = try MetadataReader()
    let entities = try reader.consume(Array(document.utf8)) + reader.finish()
    let entity = try #require(entities.first)
    return try #require(SAMLServiceProvider(entity))
  }

  private func changed(_ old: String, _ new: String) throws -> String {
    try #require(document.contains(old), "\(document)")
    return document.replacing(old, with: new)
  }

  private static func endpoint(_ name: String, _ binding: String, _ address: String) -> String {
    "<md:\(name) xmlns:md=\"urn:oasis:names:tc:SAML:2.0:metadata\" Binding=\"\(bindings)\(binding)\""
      + " Location=\"\(address)\" index=\"9\"/>"
  }

  @Test(
    "A consumer takes posted answers; one for artifacts and an endpoint of another kind are none")
  func consumers() throws {
    let end = "</md:SPSSODescriptor>"
    for (name, binding, isConsumer) in [
      ("AssertionConsumerService", "HTTP-POST", true),
      ("AssertionConsumerService", "HTTP-Artifact", false),
      ("AssertionConsumerService", "PAOS", false),
      ("ArtifactResolutionService", "HTTP-POST", false),
    ] {
      let address = "https://other.example/\(binding)"
      let found = try read(changed(end, Self.endpoint(name, binding, address) + end))
      #expect(try found.consumer(asked: "https://sp.example/acs").text == "https://sp.example/acs")
      if isConsumer {
        #expect(try found.consumer(asked: address).text == address)
        #expect(try found.consumer(asked: nil, index: "9").text == address)
      } else {
        #expect(throws: TokenError(.issuingReplyAddress)) { try found.consumer(asked: address) }
        #expect(throws: TokenError(.issuingReplyAddress)) {
          try found.consumer(asked: nil, index: "9")
        }
      }
    }
  }

  @Test("A logout request is answered by the binding that the service has for it")
  func logoutBindings() async throws {
    for binding in ["HTTP-Redirect", "HTTP-POST"] {
      var text = document
      let services = document.ranges(
        of: /<md:SingleLogoutService[^>]*>(<\/md:SingleLogoutService>)?/)
      try #require(!services.isEmpty, "\(document)")
      for range in services.reversed() { text.removeSubrange(range) }
      let end = "</md:SPSSODescriptor>"
      let place = try #require(text.firstRange(of: "<md:AssertionConsumerService")).lowerBound
      #expect(text.contains(end))
      text.insert(
        contentsOf: Self.endpoint("SingleLogoutService", binding, "https://sp.example/slo")
          .replacing(" index=\"9\"", with: ""), at: place)
      var party = RelyingParty(realm: "urn:sp", format: .saml20)
      party.serviceProvider = try read(text)
      let fixture = try SiteFixture(
        ServiceNamespace(
          issuer: "https://acs.example/", relyingParties: [party], providers: [],
          ruleGroups: [], keys: NamespaceKeys(signing: SiteFixture().signing)))
      let header = MessageHeader(
        id: "_" + RandomSource().hex(20), issuer: "urn:sp", issuedAt: SiteFixture.now,
        destination: "https://acs.example/v2/saml/slo")
      let message = OutgoingMessage.logoutRequest(
        header, name: SubjectName("mia"), sessionIndex: nil,
        notOnOrAfter: SiteFixture.now.advanced(bySeconds: 300))
      let answer = try await fixture.post(
        "/v2/saml/slo",
        [
          (
            "SAMLRequest",
            Base64.encode(try message.octets(signedWith: service.signingKeys.first))
          ), ("RelayState", "state"),
        ])
      if binding == "HTTP-POST" {
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer.text.hasPrefix("form https://sp.example/slo\n"), "\(answer.text)")
        #expect(PlainPages.field("RelayState", in: answer.text) == "state")
        let octets = try Base64.decode(
          Array(PlainPages.field("SAMLResponse", in: answer.text).utf8))
        // The form carries a signature of its own.
        #expect(String(decoding: octets, as: UTF8.self).contains("SignatureValue>"))
      } else {
        #expect(answer.status == 303, "\(answer.text)")
        let location = answer.fields["Location"] ?? ""
        #expect(location.hasPrefix("https://sp.example/slo?SAMLResponse="), "\(location)")
        #expect(location.contains("&Signature="))
      }
    }
  }
}
