import HTTPExchange
import Octets
import SecurityKeys
import SignIn
import TestSupport
import Testing

@testable import AccessControl

@Suite("Visits that a provider's sign-out finds at the local Access Control Service")
struct VisitTests {
  private static let now = SiteFixture.now
  private let grants: Grants
  private let session = Self.session(of: "ada")
  private let logout = EndedSessions(
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
      in: MemoryValueStore(), used: MemoryReplayStore(capacity: 10),
      key: try #require(SealingKey([UInt8](repeating: 6, count: 32))),
      clock: ManualTime(Self.now), random: RandomSource(), observer: NoObserver(),
      sweeps: SweepTimer(Uptime { .zero }, every: .seconds(600))
    ) { _ in }
  }

  private func found() async throws -> [String] { try await grants.visits(of: logout).map(\.id) }

  @Test("A visit that ended is not found, and the one beside it is")
  func ended() async throws {
    try await grants.join("first", nil, session)
    try await grants.join("second", nil, session)
    #expect(try await found() == ["first", "second"])
    _ = try await grants.endVisit("first")
    #expect(try await found() == ["second"])
    _ = try await grants.endVisit("second")
    #expect(try await found() == [])
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
