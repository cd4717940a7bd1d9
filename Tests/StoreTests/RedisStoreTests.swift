import RedisStores
import Testing

@Suite("Sessions and used tokens in a shared server")
struct RedisStoreTests {
  private let server = SimulatedRedis()
  private let now = Instant(secondsSinceEpoch: 1_893_499_200)
  private let key = [UInt8](repeating: 1, count: 32)

  private func sessions(_ keys: [[UInt8]]? = nil, namespace: String = "a") throws
    -> RedisSessionStore
  {
    try RedisSessionStore(
      server, sealing: keys ?? [key], lifetime: 28_800, idle: 1_800, namespace: namespace)
  }

  @Test("A used token is forgotten when it cannot be valid anywhere, and not a moment before")
  func forgets() async throws {
    let used = RedisReplayStore(server)
    let identity = TokenIdentity(signIn: "a")
    let end = now.advanced(bySeconds: 60)
    #expect(try await used.remember(identity, until: end, at: now))
    server.advance(milliseconds: 59_999)
    #expect(try await !used.remember(identity, until: end, at: now))
    server.advance(milliseconds: 1)
    #expect(try await used.remember(identity, until: end, at: now))
    // One whose end is behind the clock of this node is remembered for a second.
    let late = TokenIdentity(signIn: "late")
    #expect(try await used.remember(late, until: now, at: end))
    #expect(try await !used.remember(late, until: now, at: end))
  }

  @Test("A session is dropped at its end, or when it was not used for too long")
  func dropped() async throws {
    let store = try sessions()
    let (id, _) = SessionID.make()
    try await store.insert(StorePromiseTests.session(end: 7_200), id)
    server.advance(milliseconds: 1_900_000)
    try await store.use(id, at: now.advanced(bySeconds: 1_900))
    server.advance(milliseconds: 1_900_000)
    #expect(try await store.session(id) != nil)
    server.advance(milliseconds: 30_000)
    #expect(try await store.session(id) == nil)
    // The last use cannot carry it beyond its end.
    let (second, _) = SessionID.make()
    try await store.insert(StorePromiseTests.session(end: 100), second)
    server.advance(milliseconds: 99_999)
    #expect(try await store.session(second) != nil)
    server.advance(milliseconds: 1)
    #expect(try await store.session(second) == nil)
  }

  @Test("The server shows no claim, no subject and no identifier; every key has one length")
  func sealed() async throws {
    let (id, cookie) = SessionID.make()
    try await sessions().insert(StorePromiseTests.session(index: "_index", name: "name"), id)
    _ = try await RedisReplayStore(server, namespace: "a").remember(
      TokenIdentity(signIn: "a"), until: now.advanced(bySeconds: 9), at: now)
    for text in ["größe", "ada", "campus", "idp.example", "_index", "id token", cookie.revealed] {
      #expect(server.octets.firstRange(of: Array(text.utf8)) == nil, "\(text)")
    }
    #expect(Set(server.keys.map(\.count)) == [47])
  }

  @Test("A session that was changed, moved or made by whoever writes the server is none")
  func forged() async throws {
    let store = try sessions()
    let (id, _) = SessionID.make()
    try await store.insert(StorePromiseTests.session(), id)
    server.tamper { Array($0.dropLast()) + [($0.last ?? 0) ^ 1] }
    #expect(try await store.session(id) == nil)
    server.tamper { Array($0.dropLast()) + [($0.last ?? 0) ^ 1] }
    #expect(try await store.session(id) != nil)
    server.tamper { _ in [] }
    #expect(try await store.session(id) == nil)
  }

  @Test(
    "Keys are replaced without signing anybody out, and sessions of another key or service are none"
  )
  func rotation() async throws {
    let next = [UInt8](repeating: 2, count: 32)
    let (id, _) = SessionID.make()
    try await sessions().insert(StorePromiseTests.session(), id)
    #expect(try await sessions([next, key]).session(id) != nil)
    #expect(try await sessions([next]).session(id) == nil)
    #expect(try await sessions(namespace: "b").session(id) == nil)
    // A use seals with the new key.
    try await sessions([next, key]).use(id, at: now)
    #expect(try await sessions([next]).session(id) != nil)
    for keys in [[], [[1]], [key, [1]]] as [[[UInt8]]] {
      let error = #expect(throws: TokenError.self) { try sessions(keys) }
      #expect(error?.code == .signInConfiguration)
    }
  }

  @Test("While the server is away, refuses or talks nonsense nothing is accepted; then it goes on")
  func badDays() async throws {
    let store = try sessions()
    let used = RedisReplayStore(server)
    let (id, _) = SessionID.make()
    let session = StorePromiseTests.session()
    let now = now
    try await store.insert(session, id)
    let identity = TokenIdentity(signIn: "a")
    let attempts: [@Sendable () async throws -> Void] = [
      { _ = try await used.remember(identity, until: now.advanced(bySeconds: 9), at: now) },
      { _ = try await store.session(id) }, { try await store.insert(session, SessionID.make().id) },
      { try await store.use(id, at: now) }, { try await store.remove(id) },
      {
        _ = try await store.remove(EndedSessions(provider: "campus", issuer: "i", .subject("ada")))
      },
    ]
    for (mood, code) in [
      (.away, .storeUnavailable), (.refusing("NOPERM no"), .storeRefused),
      (.refusing("OOM command not allowed"), .storeRefused), (.answering([]), .storeProtocol),
    ] as [(SimulatedRedis.Mood, TokenError.Code)] {
      server.becomes(mood)
      for (number, attempt) in attempts.enumerated() {
        let error = await #expect(throws: TokenError.self, "\(number)") { try await attempt() }
        #expect(error?.code == code, "\(number) \(mood)")
      }
    }
    for answer in [RESPReply.integer(1), .status(Array("QUEUED".utf8)), .octets([1]), .list([])] {
      server.becomes(.answering([answer]))
      let error = await #expect(throws: TokenError.self) { try await attempts[0]() }
      #expect(error?.code == .storeProtocol)
    }
    server.becomes(.well)
    #expect(try await used.remember(identity, until: now.advanced(bySeconds: 9), at: now))
    #expect(try await store.session(id) != nil)
  }

  @Test("A server that drops keys when it is full is refused; one that does not say is not")
  func evicts() async throws {
    try await server.check()
    server.evicts("allkeys-lru")
    let error = await #expect(throws: TokenError.self) { try await server.check() }
    #expect(error?.code == .storeEvicts)
    server.becomes(.answering([.status(Array("PONG".utf8)), .error(Array("NOPERM".utf8))]))
    let quiet = OnceEach(server)
    try await quiet.check()
    server.becomes(.away)
    let away = await #expect(throws: TokenError.self) { try await server.check() }
    #expect(away?.code == .storeUnavailable)
  }

  /// Gives the first answer to `PING` and the second to everything else.
  private struct OnceEach: RedisCommands {
    let server: SimulatedRedis

    init(_ server: SimulatedRedis) { self.server = server }

    func replies(to commands: [RESPCommand]) async throws(TokenError) -> [RESPReply] {
      let all = try await server.replies(to: commands)
      return commands.map { $0.description == "PING" ? all[0] : all[1] }
    }
  }
}
