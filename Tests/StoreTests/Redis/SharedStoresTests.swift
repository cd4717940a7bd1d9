#if Redis && Server
  import CommandServer
  import Foundation
  import LocalFiles
  import HTTPExchange
  import RedisStores
  import SignIn
  import Testing

  @Suite("Stores that nodes share, as a file names them")
  struct SharedStoresTests {
    private struct Folder: ConfigurationFolder {
      var path = "/nonexistent/gate.json"
      static var valueCode: TokenError.Code { .storeAddress }
    }

    private static func stores(_ address: RedisAddress, _ key: UInt8) throws -> SharedStores {
      try SharedStores(
        SharedStoreConfiguration(address), Folder(),
        origin: HTTPURL("https://app.example/").origin,
        sealing: [[UInt8](repeating: key, count: 32)], lifetime: 600, idle: 60)
    }

    private static func stores(
      _ server: any RedisCommands, keys: [UInt8], lifetime: Int64 = 3_600, idle: Int64 = 60,
      replacing former: SharedStores? = nil
    ) throws -> SharedStores {
      try SharedStores(
        SharedStoreConfiguration(RedisAddress("redis://127.0.0.1:1")), Folder(),
        origin: HTTPURL("https://app.example/").origin,
        sealing: keys.map { [UInt8](repeating: $0, count: 32) }, lifetime: lifetime, idle: idle,
        replacing: former
      ) { (_) throws(TokenError) in server }
    }

    @Test("Stores in the place of others seal with the new key, and keep sessions for the new time")
    func replaced() async throws {
      let server = SimulatedRedis()
      let first = try Self.stores(server, keys: [1])
      let (early, _) = SessionID.make()
      try await first.sessions.insert(StorePromiseTests.session(), early)
      // Connections of its own would reach no server.
      let away = SimulatedRedis()
      away.becomes(.away)
      let next = try Self.stores(away, keys: [2, 1], idle: 600, replacing: first)
      #expect(try await next.sessions.session(early) != nil)
      let (late, _) = SessionID.make()
      try await next.sessions.insert(StorePromiseTests.session(), late)
      #expect(try await first.sessions.session(late) == nil)
      let rotated = try Self.stores(away, keys: [2], idle: 600, replacing: next)
      #expect(try await rotated.sessions.session(late) != nil)
      #expect(try await rotated.sessions.session(early) == nil)
      server.advance(milliseconds: 700_000)
      #expect(try await next.sessions.session(late) != nil)
      #expect(try await next.sessions.session(early) == nil, "60 s, and 120 s for its last use")
    }

    @Test("A shorter lifetime leaves the index of longer sessions: they are ended by their issuer")
    func shorter() async throws {
      let server = SimulatedRedis()
      let first = try Self.stores(server, keys: [1], idle: 3_600)
      let (early, _) = SessionID.make()
      try await first.sessions.insert(StorePromiseTests.session(), early)
      let next = try Self.stores(
        server, keys: [1], lifetime: 60, idle: 3_600, replacing: first)
      try await next.sessions.insert(StorePromiseTests.session(end: 60), SessionID.make().id)
      server.advance(milliseconds: 600_000)
      let ended = EndedSessions(
        provider: "campus", issuer: "https://idp.example/", .subject("ada"))
      #expect(try await next.sessions.remove(ended) == 1)
      #expect(try await next.sessions.session(early) == nil)
    }

    @Test("Another password makes other connections; the same one keeps those that are there")
    func password() async throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      func stores(
        _ password: String, _ server: SimulatedRedis, _ former: SharedStores? = nil
      ) throws -> SimulatedRedis? {
        try made(password, server, former).client as? SimulatedRedis
      }
      func made(
        _ password: String, _ server: SimulatedRedis, _ former: SharedStores?
      ) throws -> SharedStores {
        try Data(password.utf8).write(to: folder.appending(path: "password"))
        return try SharedStores(
          SharedStoreConfiguration(RedisAddress("redis://127.0.0.1:1"), password: "password"),
          Folder(path: folder.appending(path: "gate.json").path()),
          origin: HTTPURL("https://app.example/").origin,
          sealing: [[UInt8](repeating: 1, count: 32)], lifetime: 600, idle: 60, replacing: former
        ) { (_) throws(TokenError) in server }
      }
      let (one, two) = (SimulatedRedis(), SimulatedRedis())
      let first = try made("a", one, nil)
      #expect(try stores("a", two, first) === one)
      #expect(try stores("b", two, first) === two)
    }

    @Test(
      "A check asks what is used up and whose sessions there are: a node with other keys is told so",
      .enabled(if: RedisProcess.program != nil))
    func checks() async throws {
      try await RedisProcess.serving { settings in
        let now = SystemTime().now
        let one = try Self.stores(settings.address, 1)
        try await one.check(at: now)
        try await one.check(at: now)
        let other = try Self.stores(settings.address, 2)
        let error = await #expect(throws: TokenError.self) { try await other.check(at: now) }
        #expect(error?.code == .storeOtherKeys)
      }
    }
  }
#endif
