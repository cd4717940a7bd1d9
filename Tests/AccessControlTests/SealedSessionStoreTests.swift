import AccessControl
import Claims
import SignIn
import TestSupport
import Testing
import TokenBasics

@Suite("Sessions between a provider's answer and the token, in the store of the service")
struct SealedSessionStoreTests {
  private let clock = ManualTime(SiteFixture.now)
  private let values = MemoryValueStore()

  private func store(_ key: UInt8 = 1) throws -> SealedSessionStore {
    try SealedSessionStore(values, sealing: [UInt8](repeating: key, count: 32), clock: clock)
  }

  private func session(_ subject: String, at provider: String = "work") -> SignedInSession {
    SignedInSession(
      principal: FederatedPrincipal(
        issuer: "https://op.example/", subject: subject, claims: ClaimSet([Claim("a", "b")]),
        format: .jwt, issuerSession: IssuerSession(index: "s-" + subject), warnings: []),
      provider: provider, begun: clock.now, end: clock.now.advanced(bySeconds: 300),
      lastUse: clock.now)
  }

  @Test("Another process with the key reads and removes it; one with another key has none")
  func shared() async throws {
    let (id, _) = SessionID.make()
    try await store().insert(session("ada"), id)
    #expect(try await store().session(id)?.principal.subject == "ada")
    #expect(try await store(2).session(id) == nil)
    try await store().remove(id)
    #expect(try await store().session(id) == nil)
    // One that is gone stays gone.
    try await store().replace(session("ada"), id)
    try await store().use(id, at: clock.now)
    #expect(try await store().session(id) == nil)
  }

  @Test("It ends with its session")
  func ends() async throws {
    let (id, _) = SessionID.make()
    try await store().insert(session("ada"), id)
    clock.advance(bySeconds: 299)
    try await store().use(id, at: clock.now)
    #expect(try await store().session(id)?.lastUse == clock.now)
    clock.advance(bySeconds: 1)
    #expect(try await store().session(id) == nil)
  }

  @Test("A sign-out at the provider ends those of the person there, and no others")
  func ended() async throws {
    let ids = (0..<4).map { _ in SessionID.make().id }
    try await store().insert(session("ada"), ids[0])
    try await store().insert(session("ada"), ids[1])
    try await store().insert(session("ben"), ids[2])
    try await store().insert(session("ada", at: "home"), ids[3])
    let ended = EndedSessions(provider: "work", issuer: "https://op.example/", .subject("ada"))
    #expect(try await store().remove(ended) == 2)
    var left: [Bool] = []
    for id in ids { left.append(try await store().session(id) != nil) }
    #expect(left == [false, false, true, true])
  }

  @Test("A key has 32 octets")
  func keys() {
    #expect(throws: TokenError(.signInConfiguration)) {
      try SealedSessionStore(MemoryValueStore(), sealing: [1])
    }
  }
}
