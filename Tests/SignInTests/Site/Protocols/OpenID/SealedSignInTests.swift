import HTTPExchange
import SignIn
import TestSupport
import Testing

@Suite("OpenID Connect: sign-ins between a cookie and a provider")
struct SealedSignInTests {
  private let fixture: OpenIDFixture

  init() throws { fixture = try OpenIDFixture() }

  @Test("GATE-23: What one node began another finishes from the browser's own cookie, no other")
  func sealed() async throws {
    let party = try fixture.party()
    let now = fixture.time.now
    let keys = [[UInt8](repeating: 7, count: 32)]
    let origin = try HTTPURL("https://app.example/").origin
    let sealer = try SignInSealer(origin: origin, keys: keys)
    let begun = try await party.begin(returningTo: try ReturnPath("/page"), at: now)
    let other = try await party.begin(returningTo: nil, at: now)
    let answer = try fixture.provider.authorize(begun.action)
    let request = try party.request(of: answer)
    #expect(request == begun.pending.request)
    let second = try SignInSealer(origin: origin, keys: keys)
    #expect(throws: TokenError(.signInCookie)) {
      try second.open(request, sealer.seal(other.pending), .openID, at: now)
    }
    let pending = try second.open(request, sealer.seal(begun.pending), .openID, at: now)
    let signIn = try await party.finish(answer, pending: pending, used: fixture.used, at: now)
    #expect(signIn.principal.subject == "alice" && pending.returnPath?.text == "/page")
  }

  @Test("A provider without the code flow is refused before the browser leaves")
  func noCodeFlow() async throws {
    fixture.provider.change { $0.discovery["response_types_supported"] = "[\"id_token\"]" }
    let party = try fixture.party()
    await #expect(throws: TokenError(.signInNoEndpoint)) {
      try await party.begin(returningTo: nil, at: fixture.time.now)
    }
    fixture.provider.change { $0.discovery["response_types_supported"] = nil }
    await fixture.registry.refresh()
    _ = try await party.begin(returningTo: nil, at: fixture.time.now)
  }
}
