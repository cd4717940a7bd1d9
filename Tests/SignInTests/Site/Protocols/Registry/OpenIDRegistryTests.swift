import HTTPExchange
import IdentityProviderTesting
import IssuerRegistry
import RegistryTesting
import SignIn
import TestSupport
import Testing

@Suite("OpenID Connect: the registry")
struct OpenIDRegistryTests {
  private let fixture: OpenIDFixture

  init() throws { fixture = try OpenIDFixture() }

  private var fetches: Int {
    fixture.transport.requests.count { $0.url.path.hasSuffix("/keys") }
  }

  private var health: RegistryHealth {
    get throws { try #require(fixture.registry.health(at: fixture.time.now).first) }
  }

  @Test("Discovery leads to the keys, and both are kept until they are due")
  func fetchesOnce() async throws {
    let now = fixture.time.now
    #expect(fixture.registry.readyTrust(at: now) == nil)
    let trust = try await fixture.registry.trust(at: now)
    #expect(trust.issuers.count == 1 && trust.issuers.first?.keys.count == 1)
    let configuration = try await fixture.registry.configuration(at: now)
    #expect(configuration.tokenEndpoint?.text == "https://idp.example/tenant/token")
    #expect(configuration.namesIssuerInAnswers && !configuration.sendsLogoutTokens)
    #expect(configuration.authenticationMethods == ["client_secret_basic"])
    #expect(configuration.responseModes == ["query", "fragment"])
    _ = try await fixture.registry.trust(at: now.advanced(bySeconds: 3599))
    #expect(fixture.transport.requests.count == 2)
    #expect(
      fixture.transport.requests.first?.url.text
        == "https://idp.example/tenant/.well-known/openid-configuration")
    #expect(try health.status == .good)
    #expect(try health.nextRefresh == now.advanced(bySeconds: 3600))
  }

  @Test("Calls at once cause one fetch")
  func singleFlight() async throws {
    let now = fixture.time.now
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask { [fixture] in _ = try? await fixture.registry.trust(at: now) }
      }
    }
    #expect(fetches == 1)
  }

  @Test(
    "GATE-28: Ten thousand unknown keys cause one fetch in a minute, and the next minute one more")
  func unknownKeys() async throws {
    let now = fixture.time.now
    _ = try await fixture.registry.trust(at: now)
    #expect(fetches == 1)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<10_000 {
        group.addTask { [fixture] in await fixture.registry.refreshForUnknownKey(at: now) }
      }
    }
    #expect(fetches == 2)
    fixture.time.advance(bySeconds: 59)
    await fixture.registry.refreshForUnknownKey(at: fixture.time.now)
    #expect(fetches == 2)
    fixture.time.advance(bySeconds: 1)
    await fixture.registry.refreshForUnknownKey(at: fixture.time.now)
    #expect(fetches == 3)
  }

  @Test("GATE-28: Unknown keys while the provider is down cause one fetch in two seconds")
  func unknownKeysWhileDown() async throws {
    let now = fixture.time.now
    _ = try await fixture.registry.trust(at: now)
    fixture.provider.change { $0.replaced["/keys"] = .of(503) }
    for _ in 0..<6 {
      for _ in 0..<100 { await fixture.registry.refreshForUnknownKey(at: now) }
      fixture.time.advance(bySeconds: 1)
    }
    #expect(fetches == 4)
    // What was accepted stays in use.
    #expect(fixture.registry.readyTrust(at: now)?.issuers.first?.keys.count == 1)
    #expect(try health.status == .failing && health.lastError?.code == .transportStatus)
  }

  @Test("GATE-28: ID tokens with invented keys cause one fetch")
  func unknownKeysOfTokens() async throws {
    let party = try fixture.party()
    for number in 0..<20 {
      let code = try await fixture.refusal(party) { $0.namedKey = "invented-\(number)" }
      #expect(code == .unknownKeyID)
    }
    #expect(fetches == 2)
    #expect(try await fixture.refusal(party) { $0.namedKey = nil } == nil)
  }

  @Test("A failed fetch keeps the last good keys until they are too old, and backs off")
  func keepsLastGood() async throws {
    let start = fixture.time.now
    _ = try await fixture.registry.trust(at: start)
    fixture.provider.change { $0.replaced["/.well-known/openid-configuration"] = .of(500) }
    fixture.time.advance(bySeconds: 3600)
    await fixture.registry.refresh()
    #expect(fixture.registry.readyTrust(at: fixture.time.now) != nil)
    #expect(try health.consecutiveFailures == 1)
    #expect(try health.nextRefresh == fixture.time.now.advanced(bySeconds: 2))
    let end = start.advanced(bySeconds: 2_678_400)
    fixture.time.set(end)
    #expect(fixture.registry.readyTrust(at: end) == nil)
    let code = await refusalCode { _ = try await fixture.registry.trust(at: end) }
    #expect(code == .registryTrustExpired)
    fixture.provider.change { $0.replaced = [:] }
    await fixture.registry.refresh()
    #expect(fixture.registry.readyTrust(at: end) != nil)
  }

  @Test(
    "max-age shortens the time to the next fetch, within bounds, and never prolongs it",
    arguments: [
      ("max-age=600", 600), ("public, Max-Age=1200, must-revalidate", 1200), ("max-age=1", 300),
      ("max-age=999999", 3600), ("max-age=-1", 3600), ("max-age=9999999999999999999999", 3600),
      ("no-store", 3600),
    ])
  func maxAge(_ header: (value: String, seconds: Int64)) async throws {
    fixture.provider.change { $0.cacheControl = header.value }
    await fixture.registry.refresh()
    #expect(try health.nextRefresh == fixture.time.now.advanced(bySeconds: header.seconds))
  }

  @Test("run() refreshes without calls until it is cancelled")
  func runs() async throws {
    let task = Task { [fixture] in await fixture.registry.run() }
    while fetches < 1 || fixture.time.waiting == 0 { await Task.yield() }
    fixture.time.advance(bySeconds: 3600)
    while fetches < 2 { await Task.yield() }
    task.cancel()
    await task.value
  }

  @Test(
    "Keys that are secrets, private or none at all are not taken over",
    arguments: [
      ("{\"keys\":[{\"kty\":\"oct\",\"k\":\"AAAA\"}]}", TokenError.Code.privateKey),
      ("{\"keys\":[]}", .emptyKeySet), ("{\"keys\":{}}", .jsonMember), ("<html>", .notKeySet),
      ("{\"keys\":[],\"keys\":[]}", .duplicateJSONName),
    ])
  func keys(_ served: (body: String, code: TokenError.Code)) async throws {
    fixture.provider.change { $0.replaced["/keys"] = .json(served.body) }
    let error = await #expect(throws: TokenError.self) {
      try await fixture.registry.trust(at: fixture.time.now)
    }
    #expect(error?.code == .registryUnavailable)
    #expect(try health.lastError?.code == served.code)
    fixture.provider.change { $0.replaced = [:] }
    await fixture.registry.refresh()
    #expect(fixture.registry.readyTrust(at: fixture.time.now) != nil)
  }

  @Test(
    "A key that cannot be used is passed over and named in the health; the others are used")
  func passedOver() async throws {
    let good = try ProviderKey.first.json
    let bad = #"{"kty":"EC","crv":"P-256","kid":"off","x":"AA","y":"AA"}"#
    fixture.provider.change { $0.replaced["/keys"] = .json("{\"keys\":[\(bad),\(good)]}") }
    let now = fixture.time.now
    let trust = try await fixture.registry.trust(at: now)
    #expect(trust.issuers.first?.keys.map(\.keyID) == ["rsa-1"])
    #expect(trust.passedOver == [TokenError(.weakKey)])
    #expect(try health.status == .good)
    #expect(try health.passedOver.map(\.code) == [.weakKey])
    let node = try #require(try health.passedOver.first?.node)
    #expect(node == "https://idp.example/tenant/keys, keys[0] (kid \"off\"), x, y")
    fixture.provider.change { $0.replaced = [:] }
    await fixture.registry.refresh()
    #expect(try health.passedOver.isEmpty)
  }

  @Test("A redirect, a compressed or an enormous document is refused")
  func transport() async throws {
    var compressed = HTTPResponse.json("{}")
    try compressed.fields.append("Content-Encoding", "gzip")
    let answers: [(HTTPResponse, TokenError.Code)] = [
      (.of(301), .transportRedirect), (compressed, .registryContentEncoding),
      (
        HTTPResponse(status: 200, body: Array(repeating: 0x20, count: (1 << 20) + 1)),
        .transportTooLarge
      ),
    ]
    for (answer, expected) in answers {
      fixture.provider.change { $0.replaced["/.well-known/openid-configuration"] = answer }
      await fixture.registry.refresh()
      #expect(try health.lastError?.code == expected)
    }
    fixture.provider.change { $0.replaced = [:] }
    await fixture.registry.refresh()
    #expect(try health.status == .good)
  }

  @Test("The observer hears of fetches, and nothing secret")
  func observes() async throws {
    let observer = RecordingObserver()
    let registry = OpenIDRegistry(
      try OpenIDSource(issuer: fixture.provider.issuer), transport: fixture.transport,
      clock: fixture.time, observer: observer, jitter: { 0 })
    await registry.refresh()
    #expect(observer.lines.contains { $0.hasPrefix("registry.accepted ") })
    #expect(observer.lines.contains { $0.hasPrefix("registry.age ") })
    // The same measurements as of metadata.
    #expect(observer.lines.contains { $0.hasPrefix("registry.issuers ") })
    #expect(observer.lines.contains { $0.hasPrefix("registry.remaining-validity ") })
  }
}
