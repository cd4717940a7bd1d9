import HTTPExchange
import RedisStores
import Synchronization
import Testing

@Suite("Sessions that other keys sealed")
struct OtherKeysTests {
  /// Keeps the codes of what happened.
  private final class Codes: ActivityObserver {
    let heard = Mutex<[String]>([])

    func during<Value: Sendable>(
      _ activity: Activity, _ body: @Sendable () async throws(TokenError) -> Value
    ) async throws(TokenError) -> Value { try await body() }

    func happened(_ activity: Activity) {
      heard.withLock { $0 += activity.attributes.map(\.value) }
    }

    func measured(_ activity: Activity, value: Double) {}
  }

  @Test("A node that cannot open a session of the fleet says so, and one that can says nothing")
  func said() async throws {
    let server = SimulatedRedis()
    let (old, new) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
    let codes = Codes()
    func store(_ keys: [[UInt8]]) throws -> RedisSessionStore {
      try RedisSessionStore(
        server, origin: try HTTPURL("https://app.example/").origin, sealing: keys, lifetime: 600,
        idle: 60, observer: codes)
    }
    let (id, _) = SessionID.make()
    try await store([old]).insert(StorePromiseTests.session(), id)
    #expect(try await store([new, old]).session(id) != nil)
    #expect(try await store([new]).session(SessionID.make().id) == nil)
    #expect(codes.heard.withLock { $0 } == [])
    #expect(try await store([new]).session(id) == nil)
    #expect(codes.heard.withLock { $0 } == [TokenError.Code.storeOtherKeys.rawValue])
  }
}
