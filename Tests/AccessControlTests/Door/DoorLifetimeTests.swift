import AccessControl
import HTTPExchange
import TestSupport
import Testing

/// How long an access token is good that services verify themselves.
@Suite("Access tokens end within ten minutes at every grant")
struct DoorLifetimeTests {
  private static let entrances: [DoorEntrance] = [
    .openID, .resource, .credentials, .programJWT, .exchangeOwn, .samlBearer, .jwtBearer, .grantIn,
  ]

  @Test(
    "A day of the relying party gives ten minutes, and a minute a minute", arguments: entrances)
  func lifetimes(entrance: DoorEntrance) async throws {
    for (lifetime, expected) in [(86_400, 600), (60, 60)] {
      var world = try DoorWorld()
      world.party.lifetime = lifetime
      let fixture = try DoorFixture(world)
      let tokens = try #require(try await fixture.enter(entrance).tokens)
      #expect(tokens.lifetime == expected, "\(entrance)")
      guard let refresh = tokens.refresh else { continue }
      let use: DoorUse = entrance == .resource ? .refreshResource : .refreshOpenID
      let renewed = try await fixture.use(use, DoorTokens(refresh: refresh)).tokens
      #expect(renewed?.lifetime == expected, "\(use)")
    }
  }
}
