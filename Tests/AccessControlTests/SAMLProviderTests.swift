import AccessControl
import HTTPExchange
import SAML
import SecurityKeys
import SignIn
import TestSupport
import Testing
import TokenBasics

@Suite("SAML 2.0 sign-in at the local Access Control Service")
struct SAMLProviderTests {
  private let fixture: SiteFixture
  private let now = SiteFixture.now

  init() throws { fixture = try SiteFixture() }

  /// Begins at a service, and follows the redirect.
  private func begun(
    _ service: ServiceProvider, _ options: AuthnRequestOptions = AuthnRequestOptions(),
    at instant: Instant? = nil
  ) async throws -> (pending: PendingSignIn, response: HTTPExchange.HTTPResponse) {
    let begun = try service.begin(
      at: await fixture.identityProvider(), options: options, at: instant ?? now)
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
    trust.decryptionKeys = service.decryptionKeys.map { DecryptionKey($0) }
    return try await service.finish(
      SAMLAnswer(message), pending, from: fixture.identityProvider(), trust: trust,
      used: MemoryReplayStore(),
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
    let begun = try service.begin(at: await fixture.identityProvider(), at: now)
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
    let provider = try await fixture.identityProvider()
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

  @Test("A request for another address, or for another way of answering, is refused")
  func destinations() async throws {
    let service = try SiteFixture.service("urn:sp", signs: true)
    let metadata = try await fixture.identityProvider()
    func answer(_ address: String, _ service: ServiceProvider) async throws
      -> HTTPExchange.HTTPResponse
    {
      let asked = IdentityProvider(
        entityID: metadata.entityID, signOn: [.init(.redirect, try HTTPURL(address))],
        wantsSignedRequests: true)
      let query = try service.begin(at: asked, at: now).action.address.query ?? ""
      return try await fixture.get("/v2/saml/sso?" + query + "&whr=Google")
    }
    let other = try await answer("https://acs.example/v2/saml/other", service)
    #expect(other.status == 400 && other.text.contains("issuing.saml-request"), "\(other.text)")
    var artifact = service
    artifact.answerBinding = .artifact
    let binding = try await answer("https://acs.example/v2/saml/sso", artifact)
    #expect(binding.status == 400 && binding.text.contains("ProtocolBinding"), "\(binding.text)")
    #expect(try await answer("https://acs.example/v2/saml/sso", service).status == 303)
  }

  @Test("A signed request says where it goes; an unsigned one may leave it open")
  func openDestinations() async throws {
    let endpoint = try HTTPURL("https://acs.example/v2/saml/sso")
    func answer(
      to destination: String?, of name: String, key: SigningKey?, by post: Bool
    ) async throws -> HTTPExchange.HTTPResponse {
      let request = OutgoingMessage.authnRequest(
        MessageHeader(id: "_a1", issuer: name, issuedAt: now, destination: destination),
        consumer: "https://sp.example/acs", binding: .post, options: AuthnRequestOptions())
      if post {
        return try await fixture.post(
          "/v2/saml/sso",
          [("SAMLRequest", Base64.encode(try request.octets(signedWith: key)))])
      }
      let address = try RedirectBinding.address(
        endpoint, "SAMLRequest", request.octets(signedWith: nil), relayState: nil, key: key)
      return try await fixture.get(address.target + "&whr=Google")
    }
    let key = try #require(try SiteFixture.service("urn:sp", signs: true).signingKeys.first)
    for post in [false, true] {
      let open = try await answer(to: nil, of: "urn:sp", key: key, by: post)
      #expect(open.status == 400 && open.text.contains("Destination"), "\(open.text)")
      // A form names no provider, so there is a choice.
      let taken = post ? 200 : 303
      #expect(
        try await answer(to: endpoint.text, of: "urn:sp", key: key, by: post).status == taken)
      #expect(try await answer(to: nil, of: "urn:plain", key: nil, by: post).status == taken)
    }
  }

  @Test("SVC-11: A logout request is for this address, of its time, and a request")
  func logoutRequests() async throws {
    let service = try SiteFixture.service("urn:sp", signs: true)
    let slo = "https://acs.example/v2/saml/slo"
    func status(
      _ destination: String?, issued: Int64 = 0, end: Int64 = 300, isResponse: Bool = false
    ) async throws -> Int {
      let header = MessageHeader(
        id: "_" + RandomSource().hex(20), issuer: "urn:sp",
        issuedAt: now.advanced(bySeconds: issued), destination: destination)
      let message =
        isResponse
        ? OutgoingMessage.logoutResponse(header, inResponseTo: "_a", outcome: .done)
        : OutgoingMessage.logoutRequest(
          header, name: SubjectName("mia"), sessionIndex: nil,
          notOnOrAfter: now.advanced(bySeconds: end))
      let octets = try message.octets(signedWith: service.signingKeys.first)
      return try await fixture.post(
        "/v2/saml/slo", [("SAMLRequest", Base64.encode(octets))]
      ).status
    }
    #expect(try await status(nil) == 400)
    #expect(try await status("https://acs.example/v2/saml/sso") == 400)
    #expect(try await status(slo, issued: -360) == 400)
    #expect(try await status(slo, issued: 360) == 400)
    #expect(try await status(slo, end: -60) == 400)
    #expect(try await status(slo, isResponse: true) == 400)
    #expect(try await status(slo, issued: -359, end: -59) == 303)
    #expect(try await status(slo, issued: 359) == 303)
  }

  @Test("A request about a certain person, or for a better context, is answered with a status")
  func unmet() async throws {
    func ask(_ more: String) async throws -> HTTPExchange.HTTPResponse {
      let request = """
        <samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" \
        xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_a1" Version="2.0" \
        IssueInstant="2029-12-31T23:50:00Z"><saml:Issuer>urn:plain</saml:Issuer>\(more)\
        </samlp:AuthnRequest>
        """
      let address = try RedirectBinding.address(
        HTTPURL("https://acs.example/v2/saml/sso"), "SAMLRequest", Array(request.utf8),
        relayState: nil, key: nil)
      return try await fixture.get(address.target + "&whr=Google")
    }
    func context(_ comparison: String) -> String {
      "<samlp:RequestedAuthnContext Comparison=\"\(comparison)\"><saml:AuthnContextClassRef>"
        + "urn:c</saml:AuthnContextClassRef></samlp:RequestedAuthnContext>"
    }
    let subject = "<saml:Subject><saml:NameID>mia</saml:NameID></saml:Subject>"
    #expect(try status(await ask(subject).text).hasSuffix("RequestUnsupported"))
    #expect(try status(await ask(context("better")).text).hasSuffix("NoAuthnContext"))
    #expect(try await ask(context("exact")).status == 303)
    #expect(try await ask("").status == 303)
  }

  @Test("A service provider is the one of its metadata, whatever the realm is called")
  func otherEntity() async throws {
    let service = try SiteFixture.service("urn:sp", signs: true)
    var reader = try MetadataReader()
    let entities = try reader.consume(service.metadata().document()) + reader.finish()
    var party = RelyingParty(realm: "urn:alias", format: .saml20)
    party.serviceProvider = entities.first.flatMap { SAMLServiceProvider($0) }
    let other = try SiteFixture(
      ServiceNamespace(
        issuer: "https://acs.example/", relyingParties: [party],
        providers: [ACSIdentityProvider(id: "Google", name: "Google", .testPeople([]))],
        ruleGroups: [], keys: NamespaceKeys(signing: fixture.signing)))
    let alias = try SiteFixture.service("urn:alias", signs: true)
    let begun = try alias.begin(at: await fixture.identityProvider(), at: now)
    let signIn = try await other.get(begun.action.address.target)
    #expect(signIn.status == 400 && signIn.text.contains("ACS50001"), "\(signIn.text)")
    let session = IssuerSession(index: "s1", name: SubjectName("mia"))
    let out = try #require(
      try alias.beginLogout(of: session, at: await fixture.identityProvider(), at: now))
    let signOut = try await other.get(out.action.address.target)
    #expect(signOut.status == 400 && signOut.text.contains("issuing.saml-request"))
  }

  @Test(
    "Of the metadata of a service counts its role of SAML 2.0, with the addresses that it lists")
  func serviceMetadata() async throws {
    func read(_ document: [UInt8]) throws -> SAMLServiceProvider? {
      var reader = try MetadataReader()
      let entities = try reader.consume(document) + reader.finish()
      return SAMLServiceProvider(try #require(entities.first))
    }
    let service = try SiteFixture.service("urn:sp", signs: true)
    let document = try service.metadata().document()
    let found = try #require(try read(document))
    #expect(try found.consumer(asked: nil).text == "https://sp.example/acs")
    #expect(found.encryptionCertificate != nil && found.signsRequests)
    #expect(throws: TokenError(.issuingReplyAddress)) {
      try found.consumer(asked: nil, index: "77")
    }
    let old = String(decoding: document, as: UTF8.self).replacing(
      "protocolSupportEnumeration=\"urn:oasis:names:tc:SAML:2.0:protocol\"",
      with: "protocolSupportEnumeration=\"urn:oasis:names:tc:SAML:1.1:protocol\"")
    #expect(try read(Array(old.utf8)) == nil)
    #expect(try read(await fixture.get("/v2/saml/metadata").body) == nil)
    let signing = try ServiceProvider(
      entityID: "urn:sp", consumer: service.consumer, signingKeys: service.signingKeys)
    let alone = try #require(try read(signing.metadata().document()))
    #expect(alone.encryptionCertificate == nil)
  }
}
