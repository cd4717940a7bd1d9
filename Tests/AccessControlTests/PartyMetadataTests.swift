import AccessControl
import HTTPExchange
import IssuerRegistry
import RegistryTesting
import SAML
import SecurityKeys
import SignIn
import Synchronization
import TestSupport
import Testing
import TokenBasics

/// Where the metadata of `urn:sp` comes from.
enum MetadataOrigin: String, CaseIterable, Sendable {
  case file, address
}

/// Serves the metadata of a service: a document, nothing, or no answer until it is told.
final class ServiceMetadataServer: HTTPTransport {
  private struct State {
    var document: [UInt8]?
    var isSilent = false
    var requests = 0
  }

  private let state = Mutex(State())
  private let gate: AsyncStream<Void>
  private let opener: AsyncStream<Void>.Continuation

  init() { (gate, opener) = AsyncStream.makeStream() }

  var requests: Int { state.withLock { $0.requests } }

  func serve(_ document: [UInt8]?) { state.withLock { $0.document = document } }

  /// Keeps every response back until ``open()``.
  func keepSilent() { state.withLock { $0.isSilent = true } }

  func open() { opener.finish() }

  func response(
    to request: HTTPRequest
  ) async throws(TokenError) -> HTTPExchange.HTTPResponse {
    let (document, isSilent) = state.withLock { state in
      state.requests += 1
      return (state.document, state.isSilent)
    }
    if isSilent { for await _ in gate {} }
    guard let document else { throw TokenError(.transportNoConnection) }
    return HTTPExchange.HTTPResponse(status: 200, body: document)
  }
}

@Suite("Metadata of SAML 2.0 services that ends, in a file and at an address")
struct PartyMetadataTests {
  /// Seconds for which the metadata is valid, as php-saml writes it.
  private static let twoDays: Int64 = 172_800
  private let server = ServiceMetadataServer()
  private let time = ManualTime(SiteFixture.now)
  private let end = SiteFixture.now.advanced(bySeconds: Self.twoDays)

  /// Metadata of `urn:sp`.
  private func document(
    until end: Instant?, signedWith key: SigningKey? = nil
  ) throws -> [UInt8] {
    try SiteFixture.service("urn:sp", signs: true).metadata(validUntil: end)
      .document(signedWith: key)
  }

  private static func provider(_ document: [UInt8]) throws -> SAMLServiceProvider {
    var reader = try MetadataReader()
    let entities = try reader.consume(document) + reader.finish()
    let entity = try #require(entities.first)
    return try #require(SAMLServiceProvider(entity))
  }

  private func fetched(_ proof: MetadataProof = .server) throws -> FetchedServiceProvider {
    FetchedServiceProvider(
      "urn:sp", at: try HTTPURL("https://sp.example/metadata"), proof: proof, transport: server,
      clock: time)
  }

  /// A site with that metadata of `urn:sp`, and `urn:plain`, whose metadata has no end.
  private func site(
    _ metadata: PartyMetadata, observer: any ActivityObserver = NoObserver()
  ) throws -> SiteFixture {
    let people = [
      TestPerson(name: "Mia", claims: ClaimSet([Claim(.nameIdentifier, "mia")]))
    ]
    var parties = ["urn:sp", "urn:plain"].map {
      RelyingParty(realm: $0, format: .saml20, ruleGroups: ["all"])
    }
    parties[0].metadata = metadata
    let plain = try SiteFixture.service("urn:plain", signs: false).metadata().document()
    parties[1].serviceProvider = try Self.provider(plain)
    return try SiteFixture(
      ServiceNamespace(
        issuer: "https://acs.example/", relyingParties: parties,
        providers: [ACSIdentityProvider(id: "Google", name: "Google", .testPeople(people))],
        ruleGroups: [RuleGroup("all", rules: [ClaimRule(ClaimCondition(.provider("Google")))])],
        keys: NamespaceKeys(
          signing: try SiteFixture().signing,
          identifiers: SymmetricKey(bytes: SiteFixture.identifiers))),
      observer: observer)
  }

  private func site(_ origin: MetadataOrigin) throws -> SiteFixture {
    let document = try document(until: end)
    switch origin {
    case .file: return try site(.fixed(Self.provider(document)))
    case .address:
      server.serve(document)
      return try site(.fetched(fetched()))
    }
  }

  private func set(_ instant: Instant, _ site: SiteFixture) {
    time.set(instant)
    site.clock.set(instant)
  }

  /// Begins a sign-in at a service.
  private func begin(
    _ site: SiteFixture, _ name: String = "urn:sp"
  ) async throws -> HTTPExchange.HTTPResponse {
    let service = try SiteFixture.service(name, signs: name == "urn:sp")
    let begun = try service.begin(at: await site.identityProvider(), at: site.clock.now)
    return try await site.get(begun.action.address.target + "&whr=Google")
  }

  private func signIn(
    _ site: SiteFixture, _ name: String = "urn:sp"
  ) async throws -> HTTPExchange.HTTPResponse {
    let begun = try await begin(site, name)
    return begun.status == 303 ? try await site.press("0", after: begun) : begun
  }

  private func logout(_ site: SiteFixture) async throws -> HTTPExchange.HTTPResponse {
    let service = try SiteFixture.service("urn:sp", signs: true)
    let header = MessageHeader(
      id: "_" + RandomSource().hex(20), issuer: "urn:sp", issuedAt: site.clock.now,
      destination: "https://acs.example/v2/saml/slo")
    let message = OutgoingMessage.logoutRequest(
      header, name: SubjectName("mia"), sessionIndex: nil,
      notOnOrAfter: site.clock.now.advanced(bySeconds: 300))
    let octets = try message.octets(signedWith: service.signingKeys.first)
    return try await site.post("/v2/saml/slo", [("SAMLRequest", Base64.encode(octets))])
  }

  private static let isPosted = "form https://sp.example/acs\n"

  @Test(
    "Up to its end metadata signs people in and out; afterwards each is refused, and others go on",
    arguments: MetadataOrigin.allCases)
  func ends(origin: MetadataOrigin) async throws {
    let site = try site(origin)
    set(end.advanced(bySeconds: -1), site)
    #expect(try await signIn(site).text.hasPrefix(Self.isPosted))
    #expect(try await logout(site).status == 303)
    let begun = try await begin(site)
    let location = try #require(begun.fields["Location"])
    let (page, cookies) = try await site.providerPage(
      HTTPURL(location).target, cookies: begun.cookies)
    server.serve(nil)
    set(end, site)
    let pressed = try await site.post(
      "/v2/sign-in",
      ["cx", "token"].map { ($0, PlainPages.field($0, in: page)) } + [("person", "0")],
      cookies: cookies)
    for refused in [try await signIn(site), try await logout(site), pressed] {
      #expect(refused.status == 400, "\(refused.text)")
      #expect(refused.text.contains("code key.metadata-expired"), "\(refused.text)")
    }
    #expect(try await signIn(site, "urn:plain").text.hasPrefix(Self.isPosted))
  }

  @Test("Metadata at an address is fetched once, and stays in use while the server is away")
  func refreshes() async throws {
    let fetched = try fetched()
    let registry = try #require(fetched.state as? MetadataRegistry)
    let site = try site(.fetched(fetched))
    server.serve(try document(until: end))
    for _ in 0..<3 { #expect(try await signIn(site).text.hasPrefix(Self.isPosted)) }
    #expect(server.requests == 1)
    // Its own metadata of an identity provider is no replacement.
    server.serve(try await site.get("/v2/saml/metadata").body)
    await registry.refresh()
    #expect(try await signIn(site).text.hasPrefix(Self.isPosted))
    server.serve(nil)
    set(end.advanced(bySeconds: -1), site)
    await registry.refresh()
    #expect(try await signIn(site).text.hasPrefix(Self.isPosted))
    #expect(registry.health(at: time.now).first?.status == .failing)
    set(end.advanced(bySeconds: 60), site)
    await registry.refresh()
    #expect(try await signIn(site).text.contains("code key.metadata-expired"))
    server.serve(try document(until: site.clock.now.advanced(bySeconds: Self.twoDays)))
    await registry.refresh()
    #expect(try await signIn(site).text.hasPrefix(Self.isPosted))
  }

  @Test("Metadata that ended before it was fetched is refused as such")
  func fetchedTooLate() async throws {
    server.serve(try document(until: SiteFixture.now))
    let site = try site(.fetched(fetched()))
    let refused = try await signIn(site)
    #expect(refused.text.contains("code key.metadata-expired"), "\(refused.text)")
  }

  @Test(
    "A service whose metadata was never fetched is refused, and nobody else waits for its server")
  func neverFetched() async throws {
    let site = try site(.fetched(fetched()))
    for refused in [try await signIn(site), try await logout(site)] {
      #expect(refused.status == 503, "\(refused.text)")
      #expect(refused.text.contains("code issuing.metadata-unavailable"), "\(refused.text)")
    }
    server.keepSilent()
    set(site.clock.now.advanced(bySeconds: 60), site)
    let requests = server.requests
    let waiting = Task { try await signIn(site).text }
    while server.requests == requests { await Task.yield() }
    #expect(try await signIn(site, "urn:plain").text.hasPrefix(Self.isPosted))
    server.serve(try document(until: end))
    server.open()
    #expect(try await waiting.value.contains("code issuing.metadata-unavailable"))
    // The next attempt gets the document.
    set(site.clock.now.advanced(bySeconds: 60), site)
    #expect(try await signIn(site).text.hasPrefix(Self.isPosted))
  }

  @Test("A sign-out does not wait for metadata, and says that not each service was told")
  func signsOut() async throws {
    let log = RecordingObserver()
    let site = try site(.fetched(fetched()), observer: log)
    let soon = SiteFixture.now.advanced(bySeconds: 60)
    server.serve(try document(until: soon))
    let begun = try await begin(site)
    let signedIn = try await site.press("0", after: begun)
    #expect(signedIn.text.hasPrefix(Self.isPosted))
    server.keepSilent()
    set(soon, site)
    let page = try await site.signOut(signedIn.cookies)
    #expect(page.status == 200 && page.text.contains("Not each of them"), "\(page.text)")
    #expect(
      log.lines.contains {
        $0.contains("issuing.logout-not-told") && $0.contains("key.metadata-expired")
      }, "\(log.lines)")
    server.open()
  }

  @Test("With a key, metadata counts with a signature by it alone")
  func signed() async throws {
    let signer = try KeyPairs.pair("acs").signing
    let proof = MetadataProof.signature([TrustedKey(.publicKey(signer.publicKey))])
    for (key, isTaken) in [(signer, true), (nil, false)] as [(SigningKey?, Bool)] {
      let site = try site(.fetched(fetched(proof)))
      server.serve(try document(until: end, signedWith: key))
      let answer = try await signIn(site)
      #expect(answer.text.hasPrefix(Self.isPosted) == isTaken, "\(answer.text)")
      #expect(answer.text.contains("code issuing.metadata-unavailable") != isTaken)
    }
  }

  @Test("A document from elsewhere names no server of this network that the service would call")
  func logoutAddress() async throws {
    let text = String(decoding: try document(until: nil), as: UTF8.self)
    for (address, isKept) in [
      ("https://sp.example/slo", true), ("https://other.example/slo", true),
      ("http://127.0.0.1:8080/slo", false), ("https://10.0.0.1/slo", false),
    ] {
      server.serve(Array(text.replacing("https://sp.example/slo", with: address).utf8))
      var party = RelyingParty(realm: "urn:sp", format: .saml20)
      let fetched = try fetched()
      party.metadata = .fetched(fetched)
      #expect(party.serviceProvider == nil && party.protocols == [.saml])
      await (fetched.state as? MetadataRegistry)?.refresh()
      let found = try #require(party.serviceProvider)
      #expect((found.directLogout != nil) == isKept, "\(address)")
      #expect(!found.logout.isEmpty)
      // A file is configuration.
      #expect(
        try Self.provider(Array(text.replacing("https://sp.example/slo", with: address).utf8))
          .directLogout != nil)
    }
  }
}
