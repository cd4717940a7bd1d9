import AccessControl
import BrowserExchange
import HTTPExchange
import Octets
import SecurityKeys
import SingleSignOn
import TestSupport
import Testing

@Suite("SAML 2.0 sign-in at the local Access Control Service")
struct SAMLProviderTests {
  private let fixture: SiteFixture
  private let now = SiteFixture.now

  init() throws { fixture = try SiteFixture() }

  private func provider() async throws -> IdentityProvider {
    let response = try await fixture.get("/v2/saml/metadata")
    var reader = try MetadataReader()
    let entities = try reader.consume(response.body) + reader.finish()
    let entity = try #require(entities.first)
    return try #require(try IdentityProvider(entity))
  }

  /// Begins at a service, and follows the redirect.
  private func begun(
    _ service: ServiceProvider, _ options: AuthnRequestOptions = AuthnRequestOptions(),
    at instant: Instant? = nil
  ) async throws -> (pending: PendingSignIn, response: HTTPExchange.HTTPResponse) {
    let begun = try service.begin(
      at: await provider(), options: options, at: instant ?? now)
    return (begun.pending, try await fixture.get(begun.action.address.target + "&whr=Google"))
  }

  private func finished(
    _ service: ServiceProvider, _ pending: PendingSignIn, _ page: String
  ) async throws -> FederatedPrincipal {
    let body = ["SAMLResponse", "RelayState"].map {
      $0 + "=" + HTTPURL.percentEncoded(PlainPages.field($0, in: page))
    }.joined(separator: "&")
    let message = WebRequest(
      method: "POST", path: "/acs", contentType: "application/x-www-form-urlencoded",
      body: Array(body.utf8))
    var trust = try fixture.trust(service.entityID)
    trust.decryptionKeys = service.decryptionKeys
    return try await service.finish(
      SAMLAnswer(message), pending, from: provider(), trust: trust, used: MemoryReplayStore(),
      at: now)
  }

  @Test(
    "A service provider signs a person in, with signed requests and with encrypted assertions",
    arguments: [("urn:sp", true), ("urn:plain", false)])
  func signsIn(name: String, signs: Bool) async throws {
    let service = try SiteFixture.service(name, signs: signs)
    let (pending, response) = try await begun(service)
    let page = try await fixture.press("0", after: response).text
    #expect(page.hasPrefix("form https://sp.example/acs\n"))
    let principal = try await finished(service, pending, page)
    #expect(principal.claims.single(.emailAddress) == "mia@example.org")
    #expect(principal.claims.single(.identityProvider) == "Google")
  }

  @Test("The name has the format that the request wants, or the answer says that there is none")
  func names() async throws {
    let service = try SiteFixture.service("urn:sp", signs: true)
    for format in [NameFormat.emailAddress, NameFormat.persistent, NameFormat.unspecified, nil] {
      var options = AuthnRequestOptions()
      options.nameFormat = format
      let (pending, response) = try await begun(service, options)
      let page = try await fixture.press("0", after: response).text
      let principal = try await finished(service, pending, page)
      let name = try #require(principal.issuerSession.name)
      #expect(name.format == format ?? NameFormat.persistent)
      guard format != NameFormat.emailAddress else {
        #expect(principal.subject == "mia@example.org")
        continue
      }
      // A name of this service provider's own, which says so.
      #expect(principal.subject == Self.identifier("urn:sp"))
      #expect(name.nameQualifier == "https://acs.example/" && name.spNameQualifier == "urn:sp")
    }
    let other = try SiteFixture.service("urn:plain", signs: false)
    let (asked, answered) = try await begun(other)
    let shown = try await fixture.press("0", after: answered).text
    let elsewhere = try await finished(other, asked, shown).subject
    #expect(elsewhere == Self.identifier("urn:plain"))
    #expect(elsewhere != Self.identifier("urn:sp"))
    var options = AuthnRequestOptions()
    options.nameFormat = NameFormat.transient
    var seen: Set<String> = []
    for _ in 0..<2 {
      let (pending, response) = try await begun(service, options)
      let page = try await fixture.press("0", after: response).text
      seen.insert(try await finished(service, pending, page).subject)
    }
    #expect(seen.count == 2)
    options.nameFormat = "urn:oasis:names:tc:SAML:2.0:nameid-format:kerberos"
    let (_, response) = try await begun(service, options)
    let page = try await fixture.press("0", after: response).text
    #expect(try status(page).hasSuffix("InvalidNameIDPolicy"))
    // The other person's address is of another domain than those of the provider.
    options.nameFormat = NameFormat.emailAddress
    let (_, stranger) = try await begun(service, options)
    let refused = try await fixture.press("1", after: stranger).text
    #expect(try status(refused).hasSuffix("InvalidNameIDPolicy"))
  }

  /// The identifier of the test person for a relying party, computed another way.
  private static func identifier(_ realm: String) -> String {
    let parts = ["pairwise", "Google", "https://www.google.com/accounts/o8/id?id=1", realm]
    let text = parts.map { "\($0.utf8.count):\($0)" }.joined()
    let key = try? SymmetricKey(bytes: SiteFixture.identifiers)
    return Base64.encode(key?.authenticate(text.utf8.span, with: .sha256) ?? [], .url)
  }

  /// The innermost status code of a posted response.
  private func status(_ page: String) throws -> String {
    let octets = try Base64.decode(Array(PlainPages.field("SAMLResponse", in: page).utf8))
    let text = String(decoding: octets, as: UTF8.self)
    let codes = text.ranges(of: "StatusCode Value=\"")
    let start = try #require(codes.last).upperBound
    return String(text[start...].prefix { $0 != "\"" })
  }

  @Test("Cancelled, an error of the provider, and nobody to ask: the service is told by a status")
  func failures() async throws {
    let service = try SiteFixture.service("urn:sp", signs: true)
    for choice in ["cancel", "fail"] {
      let (_, response) = try await begun(service)
      let page = try await fixture.press(choice, after: response).text
      #expect(page.hasPrefix("form https://sp.example/acs\n"))
      #expect(try status(page).hasSuffix("AuthnFailed"))
    }
    var options = AuthnRequestOptions()
    options.isPassive = true
    #expect(try status(await begun(service, options).response.text).hasSuffix("NoPassive"))
  }

  @Test(
    "Unsigned where signatures are announced, changed, old, or for another address: each is refused"
  )
  func refusals() async throws {
    let stranger = try SiteFixture.service("urn:sp", signs: false)
    let unsigned = try await begun(stranger).response
    #expect(unsigned.text.contains("code signature.missing"), "\(unsigned.text)")
    let service = try SiteFixture.service("urn:sp", signs: true)
    let begun = try service.begin(at: await provider(), at: now)
    let target = begun.action.address.target
    let changed = try await fixture.get(target.replacing("RelayState=", with: "RelayState=0"))
    #expect(changed.text.contains("code signature.invalid"), "\(changed.text)")
    #expect(unsigned.status == 400 && changed.status == 400)
    let old = try await self.begun(service, at: now.advanced(bySeconds: -400)).response
    #expect(old.text.contains("ACS20000") && old.status == 400)
    #expect(old.text.contains("IssueInstant") && old.text.contains("issuing.saml-request"))
    let soon = try await self.begun(service, at: now.advanced(bySeconds: -200)).response
    #expect(soon.status == 303)
    let unknown = try await self.begun(SiteFixture.service("urn:unknown", signs: false)).response
    #expect(unknown.text.contains("ACS50001"))
    // An unsigned request may ask for another address; only one of the metadata gets the answer.
    let plain = try SiteFixture.service("urn:plain", signs: false)
    let elsewhere = try ServiceProvider(
      entityID: "urn:plain", consumer: HTTPURL("https://evil.example/acs"))
    #expect(try await self.begun(plain).response.status == 303)
    let evil = try await self.begun(elsewhere).response
    #expect(evil.status == 400 && evil.text.contains("ACS50011") && !evil.text.contains("evil"))
  }

  @Test(
    "SEM-19: A signed logout request ends the session and is answered; an unsigned one ends nothing"
  )
  func logout() async throws {
    let service = try SiteFixture.service("urn:sp", signs: true)
    let (pending, response) = try await begun(service)
    let posted = try await fixture.press("0", after: response)
    let principal = try await finished(service, pending, posted.text)
    let provider = try await provider()
    let out = try #require(try service.beginLogout(of: principal, at: provider, at: now))
    let answered = try await fixture.get(out.action.address.target, cookies: posted.cookies)
    let location = try HTTPURL(try #require(answered.fields["Location"], "\(answered.text)"))
    #expect(location.text.hasPrefix("https://sp.example/slo?SAMLResponse="))
    #expect(answered.fields.values("Set-Cookie").contains { $0.contains("Max-Age=0") })
    let opened = out.pending
    let received = try await service.receiveLogout(
      WebRequest(method: "GET", path: "/slo", query: location.query), from: provider,
      trust: fixture.trust("urn:sp"),
      pending: { (_) throws(TokenError) in opened }, used: MemoryReplayStore(), at: now)
    guard case .response(problem: nil) = received else {
      Issue.record("\(received)")
      return
    }
    let query = out.action.address.target.split(separator: "&").filter {
      !$0.hasPrefix("Sig")
    }.joined(separator: "&")
    let unsigned = try await fixture.get(query, cookies: posted.cookies)
    #expect(unsigned.text.contains("code logout.unsigned"), "\(unsigned.text)")
    // A message works once.
    let again = try await fixture.get(out.action.address.target, cookies: posted.cookies)
    #expect(again.status == 400 && again.text.contains("issuing.saml-request"), "\(again.text)")
  }
}
