import IdentityProviderTesting
import SignIn
import Synchronization
import TestSupport
import Testing

/// A server of metadata that a test changes, and that notes what it was asked for.
private final class MetadataHost: HTTPTransport {
  private let state = Mutex((document: [UInt8]?.none, paths: [String]()))

  func serve(_ document: [UInt8]?) { state.withLock { $0.document = document } }
  var paths: [String] { state.withLock { $0.paths } }

  func response(to request: HTTPRequest) async throws(TokenError) -> HTTPResponse {
    let document = state.withLock { state in
      state.paths.append(request.url.path)
      return state.document
    }
    guard let document else { throw TokenError(.transportNoConnection) }
    return HTTPResponse(status: 200, body: document)
  }
}

/// The copy that a start finds.
private final class KeptMetadata: MetadataCopy {
  private let kept = Mutex([UInt8]?.none)
  private let at: Instant

  init(at: Instant) { self.at = at }

  func read() throws(TokenError) -> (document: [UInt8], fetchedAt: Instant)? {
    kept.withLock { $0 }.map { ($0, at) }
  }
  func write(_ document: [UInt8], fetchedAt: Instant) throws(TokenError) {
    kept.withLock { $0 = document }
  }
}

@Suite("Sign-in at a provider whose metadata is at an address")
struct MetadataAtAnAddressTests {
  private let clock = ManualTime()
  private let idp: IdentityProviderSimulator
  private let own: IdentityProviderSimulator
  private let host = MetadataHost()

  init() throws {
    idp = try IdentityProviderSimulator()
    own = try IdentityProviderSimulator(key: "rp-rsa")
  }

  private func document(_ certificates: [Certificate], _ signOn: String) throws -> [UInt8] {
    try IdentityProviderMetadata(
      entityID: idp.entityID, certificates: certificates, signOn: signOn
    ).document(signedWith: idp.key)
  }

  private func browser(copy: KeptMetadata? = nil, query: Bool = false) throws -> Browser {
    let settings = try SiteSettings(origin: HTTPURL("https://app.example/").origin, prefix: "/")
    let service = try ServiceProvider(
      entityID: "https://app.example/saml", consumer: settings.address("saml/acs"),
      signingKeys: [own.key])
    let signers = [TrustedKey(.certificate(idp.certificate))]
    let source: MetadataSource =
      query
      ? try .query(HTTPURL("https://mdq.example/md"), entityID: idp.entityID, signedBy: signers)
      : MetadataSource(
        try HTTPURL("https://idp.example/metadata"), entityID: idp.entityID,
        proof: .signature(signers))
    let provider = try SignInProvider.saml(
      id: "idp", source: source, transport: host, copy: copy, service: service, clock: clock)
    return Browser(
      try SignInSite(
        settings, providers: [provider], pages: PlainPages(), sessions: MemorySessionStore(),
        clock: clock))
  }

  private func signIn(
    _ browser: Browser, _ signer: IdentityProviderSimulator, at signOn: String
  ) async throws -> HTTPResponse {
    let begun = try await browser.send("GET", "/sign-in?return=%2Fpage")
    let location = try #require(begun.fields["Location"])
    #expect(location.hasPrefix(signOn))
    let request = "_" + String(try #require(location.firstMatch(of: /RelayState=([0-9a-f]{40})/)).1)
    return try await browser.send(
      "POST", "/saml/acs", body: signer.message(.init(inResponseTo: request, at: clock.now)))
  }

  @Test("The provider is down at the start: 503 with the cause, and a sign-in as soon as it is up")
  func downAtStart() async throws {
    let browser = try browser()
    let refused = try await browser.send("GET", "/sign-in")
    #expect(refused.status == 503 && refused.text.isRefusal(.registryUnavailable))
    host.serve(try document([idp.certificate], "https://idp.example/sso"))
    clock.advance(bySeconds: 120)
    let done = try await signIn(browser, idp, at: "https://idp.example/sso")
    #expect(done.status == 303 && done.fields["Location"] == "/page")
  }

  @Test("The provider is down at the start, and there is a copy of an earlier run")
  func copy() async throws {
    let copy = KeptMetadata(at: clock.now)
    try copy.write(try document([idp.certificate], "https://idp.example/sso"), fetchedAt: clock.now)
    let browser = try browser(copy: copy)
    #expect(try await signIn(browser, idp, at: "https://idp.example/sso").status == 303)
  }

  @Test("RP-6: Metadata from elsewhere names no server of this machine or network that is asked")
  func foreignAddresses() throws {
    let own = ["https://idp.example/resolve", "https://back.idp.example:8443/resolve"]
    let foreign = [
      "http://127.0.0.1:8080/", "https://127.0.0.1/", "http://[::1]/", "http://localhost/",
      "https://a.localhost/", "https://10.0.0.5/", "https://0x7f000001/", "https://[fd00::1]/",
    ]
    func named(_ document: String) throws -> [String] {
      let provider = IdentityProvider(
        entityID: "urn:idp", signOn: [],
        artifactResolution: Dictionary(
          uniqueKeysWithValues: try (own + foreign).enumerated().map { ($0, try HTTPURL($1)) }))
      let read = provider.asDocument(of: try HTTPURL(document).origin)
      return read.artifactResolution.sorted { $0.key < $1.key }.map(\.value.text)
    }
    #expect(try named("https://metadata.federation.example/x") == own)
    #expect(try named("https://10.0.0.5/metadata") == own + ["https://10.0.0.5/"])
    #expect(try named("http://127.0.0.1:9000/metadata") == own + foreign)
  }

  @Test("The provider moved and changed its key; what the old key signs is refused then")
  func rollover() async throws {
    let next = try IdentityProviderSimulator(idp.entityID, key: "other-rsa")
    host.serve(try document([idp.certificate], "https://idp.example/sso"))
    let first = try browser()
    #expect(try await signIn(first, idp, at: "https://idp.example/sso").status == 303)
    host.serve(try document([next.certificate], "https://idp.example/new"))
    guard first.site.providers[0].method is SAMLMethod,
      let registry = first.site.providers[0].registry as? MetadataRegistry
    else {
      Issue.record("no provider of SAML at an address")
      return
    }
    await registry.refresh()
    let second = Browser(first.site)
    #expect(try await signIn(second, next, at: "https://idp.example/new").status == 303)
    let third = Browser(first.site)
    let refused = try await signIn(third, idp, at: "https://idp.example/new")
    #expect(refused.status == 400)
    #expect(refused.text.hasPrefix("refusal "))
  }

  @Test("A server of the Metadata Query Protocol is asked for the one entity, by its encoded name")
  func query() async throws {
    host.serve(try document([idp.certificate], "https://idp.example/sso"))
    let browser = try browser(query: true)
    #expect(try await signIn(browser, idp, at: "https://idp.example/sso").status == 303)
    #expect(host.paths == ["/md/entities/https%3A%2F%2Fidp.example%2F"])
  }

  @Test("Metadata that another key signed is not believed")
  func forged() async throws {
    let other = try IdentityProviderSimulator(idp.entityID, key: "other-rsa")
    host.serve(
      try IdentityProviderMetadata(
        entityID: idp.entityID, certificates: [other.certificate],
        signOn: "https://idp.example/sso"
      ).document(signedWith: other.key))
    let refused = try await browser(query: true).send("GET", "/sign-in")
    #expect(refused.text.isRefusal(.registryUnavailable))
    #expect(refused.status == 503)
  }
}
