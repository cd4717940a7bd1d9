import HTTPExchange
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
  private let session = Self.session(of: "ada")
  private let ended = EndedSessions(
    provider: "idp", issuer: "https://idp.example/", .subject("ada"))

  private static func session(of subject: String) -> SignedInSession {
    SignedInSession(
      principal: FederatedPrincipal(
        issuer: "https://idp.example/", subject: subject, claims: ClaimSet(), format: .jwt,
        issuerSession: IssuerSession(), warnings: []),
      provider: "idp", begun: now, end: now.advanced(bySeconds: 600), lastUse: now)
  }

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

  @Test("A visit that goes on is found after a hundred others of the person that ended")
  func manyEnded() async throws {
    try await grants.join("living", nil, session)
    for number in 0..<100 {
      let id = "visit \(number)"
      try await grants.join(id, nil, session)
      _ = try await grants.endVisit(id)
      try await grants.forget(ended)
    }
    #expect(try await found() == ["living"])
  }

  @Test("A session that comes back, however often, pushes no other one out of a visit")
  func joins() {
    var visit = Visit(id: "first")
    let other = Self.session(of: "bob")
    visit.join(other)
    for _ in 0..<200 { visit.join(session) }
    #expect(visit.sessions.map(\.principal.subject) == ["bob", "ada"])
    visit.join(other)
    #expect(visit.sessions.map(\.principal.subject) == ["ada", "bob"])
  }
}
