import HTTPExchange
import SignInAttack
import TestSupport
import Testing

@Suite("A code that is brought again")
struct CodeReplayTests {
  private func verdicts(usesStateOnce: Bool) async throws -> [AttackVerdict] {
    let client = Mutexed<CredulousClient?>(nil)
    let configuration = try AttackFixture.configuration(.openID, start: "/login", probe: "/me")
    let fixture = try AttackFixture(configuration) { request in
      client.current?.respond(to: request) ?? .of(500)
    }
    client.withLock { $0 = CredulousClient(fixture.provider, usesStateOnce: usesStateOnce) }
    var run = fixture.run
    try await run.control()
    return try await fixture.variants(["replay/other-browser", "replay/same-browser"]).asyncMap {
      try await run.play($0).verdict
    }
  }

  @Test("A client that does not look at its state is found: the provider gives a token again")
  func accepted() async throws {
    let accepted = AttackVerdict.accepted(.named, isSteady: true)
    #expect(try await verdicts(usesStateOnce: false) == [accepted, accepted])
  }

  @Test("A client that takes each state once refuses")
  func refused() async throws {
    #expect(try await verdicts(usesStateOnce: true) == [.refused, .refused])
  }
}
