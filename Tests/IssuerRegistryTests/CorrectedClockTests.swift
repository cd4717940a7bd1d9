import HTTPExchange
import IdentityProviderTesting
import IssuerRegistry
import Synchronization
import TestSupport
import Testing
import TokenBasics

@Suite("Retries while the clock is corrected and while somebody waits")
struct CorrectedClockTests {
  /// A clock that shows another time of day than the time that passes.
  private final class CorrectedTime: TimeSource {
    let passing = ManualTime()
    let ahead = Mutex<Int64>(0)

    var now: Instant { passing.now.advanced(bySeconds: ahead.withLock { $0 }) }
    var uptime: Duration { passing.uptime }
    func wait(_ duration: Duration) async { await passing.wait(duration) }
  }

  private let time = CorrectedTime()
  private let transport = ScriptedTransport { (_) throws(TokenError) in
    throw TokenError(.transportNoConnection)
  }

  private func registry() throws -> KeySetRegistry {
    KeySetRegistry(
      issuer: "https://as.example", address: try HTTPURL("https://as.example/keys"),
      transport: transport, clock: time, jitter: { 0 })
  }

  private func ask(_ registry: KeySetRegistry) async {
    let code = await refusalCode { [time] in _ = try await registry.trust(at: time.now) }
    #expect(code == .registryUnavailable)
  }

  @Test("A clock that is set back by a day stops no retry", arguments: [86_400, 60, -86_400])
  func corrected(ahead: Int64) async throws {
    time.ahead.withLock { $0 = ahead }
    let registry = try registry()
    await ask(registry)
    #expect(transport.requests.count == 1)
    time.ahead.withLock { $0 = 0 }
    await ask(registry)
    #expect(transport.requests.count == 1)
    time.passing.advance(bySeconds: 2)
    await ask(registry)
    #expect(transport.requests.count == 2)
  }

  @Test("Whoever waits causes an attempt in two seconds, whatever the number of failures")
  func onDemand() async throws {
    let registry = try registry()
    for attempts in 1...20 {
      for _ in 0..<10 { await ask(registry) }
      #expect(transport.requests.count == attempts)
      time.passing.advance(bySeconds: 2)
    }
    // Without anybody who waits the pause grows to five minutes.
    let health = try #require(registry.health(at: time.now).first)
    let next = try #require(health.nextRefresh)
    #expect(next.seconds - time.now.seconds > 200)
  }
}
