import RedisStores
import Testing

@Suite("Looking through the sessions of a shared server")
struct RedisScanTests {
  private static func part(_ cursor: String, _ keys: [RESPReply]) -> RESPReply {
    .list([.octets(Array(cursor.utf8)), .list(keys)])
  }

  @Test("An answer that is no cursor and keys is refused, and none is read for a key of it")
  func answers() async throws {
    let server = SimulatedRedis()
    let store = try RedisSessionStore(
      server, origin: HTTPURL("https://rp.example/").origin,
      sealing: [[UInt8](repeating: 1, count: 32)], lifetime: 28_800, idle: 1_800, namespace: "a")
    let key = RESPReply.octets(Array("federation:a:s:k".utf8))
    for answer in [
      Self.part("", [key]), Self.part("1a", [key]), Self.part("-1", [key]),
      Self.part(String(repeating: "1", count: 21), [key]), Self.part("0", [key, .integer(7)]),
      Self.part("0", [key, .octets(nil)]), .list([.octets(Array("0".utf8))]), .list(nil),
      .list([.integer(0), .list([key])]),
    ] {
      server.becomes(.answering([answer]))
      let error = await #expect(throws: TokenError.self) { try await store.sessions { _ in true } }
      #expect(error?.code == .storeProtocol && error?.node == "SCAN", "\(answer)")
    }
    server.becomes(.answering([Self.part("0", [])]))
    #expect(try await store.sessions { _ in true }.isEmpty)
    server.becomes(.well)
    #expect(try await store.sessions { _ in true }.isEmpty)
  }
}
