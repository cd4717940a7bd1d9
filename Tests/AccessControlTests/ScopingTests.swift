import AccessControl
import HTTPExchange
import SAML
import TestSupport
import Testing
import TokenBasics
import XMLTree

/// What a request says of identity providers behind this one (SAML Core 3.4.1.1, 3.4.1.2 and 3.4.1.5).
@Suite("Scoping of SAML requests at the local Access Control Service")
struct ScopingTests {
  private let fixture: SiteFixture

  init() throws { fixture = try SiteFixture() }

  private func ask(
    _ more: String, of entity: String = "urn:plain", choosing choice: String = ""
  ) async throws -> HTTPExchange.HTTPResponse {
    let request = """
      <samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" \
      xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_a1" Version="2.0" \
      IssueInstant="2029-12-31T23:50:00Z"><saml:Issuer>\(entity)</saml:Issuer>\(more)\
      </samlp:AuthnRequest>
      """
    let address = try RedirectBinding.address(
      HTTPURL("https://acs.example/v2/saml/sso"), "SAMLRequest", Array(request.utf8),
      relayState: nil, key: nil)
    return try await fixture.get(address.target + choice)
  }

  private func status(_ page: String) throws -> String {
    let octets = try Base64.decode(Array(PlainPages.field("SAMLResponse", in: page).utf8))
    let text = String(decoding: octets, as: UTF8.self)
    let start = try #require(text.ranges(of: "StatusCode Value=\"").last).upperBound
    return String(text[start...].prefix { $0 != "\"" })
  }

  private static func list(_ names: String...) -> String {
    let entries = names.map { "<samlp:IDPEntry ProviderID=\"\($0)\"/>" }.joined()
    return "<samlp:Scoping><samlp:IDPList>\(entries)</samlp:IDPList></samlp:Scoping>"
  }

  @Test("A name of another service provider is refused; one of the service that asks is given")
  func nameQualifiers() async throws {
    func policy(_ qualifier: String) -> String {
      "<samlp:NameIDPolicy SPNameQualifier=\"\(qualifier)\"/>"
    }
    let refused = try await ask(policy("urn:affiliation"), choosing: "&whr=Google")
    #expect(try status(refused.text).hasSuffix("InvalidNameIDPolicy"))
    #expect(try await ask(policy("urn:plain"), choosing: "&whr=Google").status == 303)
  }

  @Test("A list of one provider chooses it; a list without any of ours is answered with a status")
  func lists() async throws {
    #expect(try await ask(Self.list("urn:elsewhere", "Google")).status == 303)
    #expect(try await ask("").status == 200)
    let refused = try await ask(Self.list("urn:elsewhere"))
    #expect(try status(refused.text).hasSuffix("NoSupportedIDP"))
    // Another provider than the listed one is no way around the list.
    let other = try await ask(Self.list("urn:elsewhere"), choosing: "&whr=Google")
    #expect(try status(other.text).hasSuffix("NoSupportedIDP"))
  }

  @Test("A service without providers behind it may be asked with a count of 0")
  func counts() async throws {
    let direct = try await ask("<samlp:Scoping ProxyCount=\"0\"/>", choosing: "&whr=Google")
    #expect(direct.status == 303)
    let broken = try await ask("<samlp:Scoping ProxyCount=\"-1\"/>", choosing: "&whr=Google")
    #expect(broken.status == 400)
  }

  @Test("An assertion names who signed the person in, where the service did not do so itself")
  func authorities() throws {
    let namespace = fixture.site.store.current
    let party = try namespace.relyingParty("urn:sp")
    var subject = SignedInSubject(
      ClaimSet([Claim(.emailAddress, "mia@example.org")]), from: .provider("Google"), name: "mia")
    func assertion() throws -> String {
      let octets = try namespace.response(
        subject, to: party, nameFormat: nil,
        delivery: SAMLDelivery(recipient: "https://sp.example/acs"), at: SiteFixture.now)
      return String(decoding: octets, as: UTF8.self)
    }
    #expect(try !assertion().contains("AuthenticatingAuthority"))
    subject.authorities = ["https://op.example"]
    #expect(
      try assertion().contains(
        "<saml:AuthenticatingAuthority>https://op.example</saml:AuthenticatingAuthority>"))
  }

  @Test("A request to a SAML provider above has one provider less, and the same list")
  func goesOn() throws {
    var options = AuthnRequestOptions()
    options.proxyCount = 1
    options.providers = ["urn:a", "urn:b"]
    let header = MessageHeader(
      id: "_a1", issuer: "urn:acs", issuedAt: SiteFixture.now, destination: nil)
    let request = OutgoingMessage.authnRequest(
      header, consumer: "https://acs.example/in", binding: .post, options: options)
    let read = try AuthnRequest(
      reading: Document(parsing: request.octets(signedWith: nil), limits: Limits()).root)
    #expect(read.proxyCount == 1 && read.providers == ["urn:a", "urn:b"])
  }

  @Test("A list of more than a hundred providers is refused; one of a hundred is read")
  func longLists() async throws {
    func list(_ count: Int) -> String {
      let entries = String(repeating: "<samlp:IDPEntry ProviderID=\"Google\"/>", count: count)
      return "<samlp:Scoping><samlp:IDPList>\(entries)</samlp:IDPList></samlp:Scoping>"
    }
    #expect(try await ask(list(AuthnRequest.mostProviders)).status == 303)
    let refused = try await ask(list(AuthnRequest.mostProviders + 1))
    #expect(refused.status == 413 && refused.text.contains("input.too-large"), "\(refused.text)")
  }
}
