import SignIn
import TestSupport
import Testing

@Suite("Whether a store could keep a sign-in right now")
struct ProbedStoreTests {
  /// Takes sessions and has none, as a store does that is full and says nothing.
  private struct ForgetfulStore: SessionStore {
    func insert(_: SignedInSession, _: SessionID) async throws(TokenError) {}
    func replace(_: SignedInSession, _: SessionID) async throws(TokenError) {}
    func session(_: SessionID) async throws(TokenError) -> SignedInSession? { nil }
    func use(_: SessionID, at: Instant) async throws(TokenError) {}
    func remove(_: SessionID) async throws(TokenError) {}
    func remove(_: EndedSessions) async throws(TokenError) -> Int { 0 }
    func sweep(at: Instant, idle: Int64) async throws(TokenError) {}
  }

  @Test("A store that does not give back what it was given is told of; one that does keeps nothing")
  func probes() async throws {
    let now = ManualTime().now
    await #expect(throws: TokenError(.signInSessionStore)) {
      try await ForgetfulStore().probe(at: now)
    }
    let memory = MemorySessionStore()
    try await memory.probe(at: now)
    #expect(memory.count == 0)
    await #expect(throws: TokenError(.signInSessionsFull)) {
      try await MemorySessionStore(capacity: 0).probe(at: now)
    }
  }

  /// Takes values and has none.
  private struct ForgetfulValueStore: ValueStore {
    func keep(_: [UInt8], under: ValueName, until: Instant, at: Instant) async throws(TokenError) {}
    func value(under: ValueName, at: Instant) async throws(TokenError) -> [UInt8]? { nil }
    func take(_: ValueName, at: Instant) async throws(TokenError) -> [UInt8]? { nil }
    func remove(_: ValueName) async throws(TokenError) {}
    func sweep(at: Instant) async throws(TokenError) {}
  }

  @Test("So is a store of codes and tickets")
  func valueProbes() async throws {
    let now = ManualTime().now
    await #expect(throws: TokenError(.signInSessionStore)) {
      try await ForgetfulValueStore().probe(at: now)
    }
    let memory = MemoryValueStore(capacity: 1)
    for _ in 0..<3 { try await memory.probe(at: now) }
  }
}
