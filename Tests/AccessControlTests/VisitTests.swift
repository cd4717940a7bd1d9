import HTTPExchange
import Octets
import SecurityKeys
import SignIn
import Synchronization
import TestSupport
import Testing

@testable import AccessControl

@Suite("Visits that a provider's sign-out finds at the local Access Control Service")
struct VisitTests {
  /// A store in which something happens right after a value was read, once.
  private final class InterruptedStore: ValueStore {
    typealias Act = @Sendable () async throws(TokenError) -> Void
    private let values = MemoryValueStore()
    private let next = Mutex<(name: ValueName, act: Act)?>(nil)

    func interrupt(_ name: String, _ act: @escaping Act) {
      next.withLock { $0 = (ValueName(name), act) }
    }

    var isInterrupted: Bool { next.withLock { $0 == nil } }

    func keep(
      _ value: [UInt8], under name: ValueName, until end: Instant, at now: Instant
    ) async throws(TokenError) { try await values.keep(value, under: name, until: end, at: now) }

    func value(under name: ValueName, at now: Instant) async throws(TokenError) -> [UInt8]? {
      let value = try await values.value(under: name, at: now)
      let act = next.withLock { next -> Act? in
        guard let found = next, found.name == name else { return nil }
        next = nil
        return found.act
      }
      if let act { try await act() }
      return value
    }

    func take(_ name: ValueName, at now: Instant) async throws(TokenError) -> [UInt8]? {
      try await values.take(name, at: now)
    }

    func remove(_ name: ValueName) async throws(TokenError) { try await values.remove(name) }

    func sweep(at now: Instant) async throws(TokenError) { try await values.sweep(at: now) }
  }

  private static let now = SiteFixture.now
  private let store = InterruptedStore()
  private let grants: Grants
  private let session = SignedInSession(
    principal: FederatedPrincipal(
      issuer: "https://idp.example/", subject: "ada", claims: ClaimSet(), format: .jwt,
      issuerSession: IssuerSession(), warnings: []),
    provider: "idp", begun: now, end: now.advanced(bySeconds: 600), lastUse: now)
  private let ended = EndedSessions(
    provider: "idp", issuer: "https://idp.example/", .subject("ada"))

  init() throws {
    grants = Grants(
      in: store, used: MemoryReplayStore(capacity: 10),
      key: try #require(SealingKey([UInt8](repeating: 6, count: 32))),
      clock: ManualTime(Self.now), random: RandomSource(), observer: NoObserver(),
      sweeps: SweepTimer(Uptime { .zero }, every: .seconds(600))
    ) { _ in }
  }

  private func found() async throws -> [String] { try await grants.visits(of: ended).map(\.id) }

  @Test("A visit that begins while those that ended are forgotten is found by the next sign-out")
  func joinedMeanwhile() async throws {
    try await grants.join("first", nil, session)
    #expect(try await found() == ["first"])
    _ = try await grants.endVisit("first")
    let (grants, session) = (grants, session)
    store.interrupt("visit:first") { () async throws(TokenError) in
      try await grants.join("second", nil, session)
    }
    try await grants.forget(ended)
    #expect(store.isInterrupted)
    #expect(try await found() == ["second"])
  }

  @Test("Of two visits the one that ended is forgotten")
  func forgets() async throws {
    try await grants.join("first", nil, session)
    try await grants.join("second", nil, session)
    _ = try await grants.endVisit("first")
    try await grants.forget(ended)
    #expect(try await found() == ["second"])
    _ = try await grants.endVisit("second")
    try await grants.forget(ended)
    #expect(try await found() == [])
  }
}
