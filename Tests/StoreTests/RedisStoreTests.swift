import RedisStores
import SecurityKeys
import Synchronization
import Testing
import TokenBasics

@Suite("Sessions and used tokens in a shared server")
struct RedisStoreTests {
  private let server = SimulatedRedis()
  private let now = Instant(secondsSinceEpoch: 1_893_499_200)
  private let key = [UInt8](repeating: 1, count: 32)

  private func sessions(
    _ keys: [[UInt8]]? = nil, of origin: String = "https://rp.example/", namespace: String = "a"
  ) throws -> RedisSessionStore {
    try RedisSessionStore(
      server, origin: HTTPURL(origin).origin, sealing: keys ?? [key], lifetime: 28_800, idle: 1_800,
      namespace: namespace)
  }

  @Test(
    "SVC-8: A used token is remembered 600 s of skew and 600 s of clocks beyond its end, and not a moment more"
  )
  func forgets() async throws {
    let used = RedisReplayStore(server)
    let identity = TokenIdentity(signIn: "a")
    let end = now.advanced(bySeconds: 60)
    #expect(try await used.remember(identity, until: end, at: now))
    server.advance(milliseconds: 1_259_999)
    let late = now.advanced(bySeconds: 1_259)
    #expect(try await !used.remember(identity, until: end, at: late))
    server.advance(milliseconds: 1)
    let longer = now.advanced(bySeconds: 3_600)
    #expect(try await used.remember(identity, until: longer, at: late))
  }

  @Test(
    "SVC-8: How long a token is remembered is the server's clock's to say, whatever that of the node says",
    arguments: [-540, -45, 45, 540, 3_600])
  func clocks(difference: Int64) async throws {
    let used = RedisReplayStore(server)
    let identity = TokenIdentity(signIn: "a")
    let end = now.advanced(bySeconds: 30)
    #expect(try await used.remember(identity, until: end, at: now.advanced(bySeconds: difference)))
    server.advance(milliseconds: 1_229_000)
    #expect(
      try await !used.remember(identity, until: end, at: now.advanced(bySeconds: 1_229 - 590)))
  }

  @Test(
    "SVC-8: A node whose clock is too far behind the server's accepts nothing, and uses nothing up")
  func behind() async throws {
    let used = RedisReplayStore(server)
    let identity = TokenIdentity(signIn: "a")
    let end = now.advanced(bySeconds: 3_600)
    let error = await #expect(throws: TokenError.self) {
      try await used.remember(identity, until: end, at: now.advanced(bySeconds: -601))
    }
    #expect(error?.code == .storeClock)
    let health = await #expect(throws: TokenError.self) {
      try await used.check(at: now.advanced(bySeconds: -601))
    }
    #expect(health?.code == .storeClock)
    #expect(try await used.remember(identity, until: end, at: now.advanced(bySeconds: -600)))
  }

  @Test(
    "SVC-8: A server that may evict entries is refused, unless the configuration allows it",
    arguments: [
      ("memory", "maxmemory_policy:allkeys-lru"), ("memory", "maxmemory_policy:volatile-ttl"),
      ("persistence", "aof_enabled:0"),
      ("persistence", "aof_enabled:1\r\naof_last_write_status:err"),
      ("replication", "role:slave"),
    ])
  func mayForget(section: String, info: String) async throws {
    let used = RedisReplayStore(server)
    let identity = TokenIdentity(signIn: "a")
    let end = now.advanced(bySeconds: 60)
    try await used.check(at: now)
    server.says(info, in: section)
    let error = await #expect(throws: TokenError.self) {
      try await used.remember(identity, until: end, at: now)
    }
    #expect(error?.code == .storeForgets)
    let health = await #expect(throws: TokenError.self) { try await used.check(at: now) }
    #expect(health?.code == .storeForgets && health?.found?.isEmpty == false)
    let careless = RedisReplayStore(server, mayForget: true)
    #expect(try await careless.check(at: now).note.contains("store.forgets"))
    #expect(
      try await careless.remember(TokenIdentity(signIn: "b"), until: end, at: now))
    // What was refused meanwhile was not used up.
    server.says(SimulatedRedis.sound[section], in: section)
    #expect(try await used.remember(identity, until: end, at: now))
    #expect(try await !used.remember(identity, until: end, at: now))
  }

  @Test(
    "SVC-8: A server that does not say whether it evicts entries is refused, unless the configuration allows it",
    arguments: [nil, "nothing:of_that", ""])
  func unknown(info: String?) async throws {
    for section in ["memory", "persistence", "replication"] {
      let used = RedisReplayStore(server)
      server.says(info, in: section)
      let error = await #expect(throws: TokenError.self) {
        try await used.remember(
          TokenIdentity(signIn: "a"), until: now.advanced(bySeconds: 60), at: now)
      }
      #expect(error?.code == .storeUnknown)
      let health = await #expect(throws: TokenError.self) { try await used.check(at: now) }
      #expect(health?.code == .storeUnknown)
      let careless = RedisReplayStore(server, mayForget: true)
      #expect(
        try await careless.remember(
          TokenIdentity(signIn: section), until: now.advanced(bySeconds: 60), at: now))
      server.says(SimulatedRedis.sound[section], in: section)
    }
    // What is known to be wrong is said before what is not known.
    server.says(nil, in: "memory")
    server.says("role:slave", in: "replication")
    let error = await #expect(throws: TokenError.self) { try await server.check() }
    #expect(error?.code == .storeForgets)
  }

  @Test("SVC-8: What came into being before the store is refused; what came later is good for once")
  func birth() async throws {
    let used = RedisReplayStore(server)
    try await used.check(at: now)
    #expect(server.keysWithoutEnd == 1)
    func use(_ name: String, _ origin: TokenUse.Origin, _ at: Instant) async -> TokenError.Code? {
      let use = TokenUse(
        TokenIdentity(signIn: name), origin, until: now.advanced(bySeconds: 3_599))
      do throws(TokenError) {
        return try await used.remember(use, at: at) ? nil : .replayUsed
      } catch {
        return error.code
      }
    }
    let before = now.advanced(bySeconds: -1)
    #expect(await use("a", .begun(before), now) == .replayOlderThanStore)
    #expect(await use("b", .issued(before), now) == .replayOlderThanStore)
    // Issued an hour before its end, as far as anybody can say.
    #expect(await use("c", .issued(nil), now) == .replayOlderThanStore)
    #expect(await use("d", .begun(now), now) == nil)
    #expect(await use("d", .begun(now), now) == .replayUsed)
    #expect(await use("e", .issued(now), now) == nil)
    // By the server's clock a sign-in is as old as it is, also where the clock of the node is fast.
    server.advance(milliseconds: 10_000)
    let fast = now.advanced(bySeconds: 70)
    #expect(await use("f", .begun(fast.advanced(bySeconds: -11)), fast) == .replayOlderThanStore)
    #expect(await use("f", .begun(fast.advanced(bySeconds: -10)), fast) == nil)
    // The server loses everything: whoever was used before is too old now.
    server.forgets()
    let later = now.advanced(bySeconds: 10)
    #expect(await use("d", .begun(now), later) == .replayOlderThanStore)
    #expect(await use("e", .issued(now), later) == .replayOlderThanStore)
    #expect(await use("g", .begun(later), later) == nil)
  }

  @Test("SVC-8: A birth in the future, which a clock that was set back leaves, is made anew")
  func clockSetBack() async throws {
    let used = RedisReplayStore(server)
    try await used.check(at: now)
    server.advance(milliseconds: -3_600_000)
    let earlier = now.advanced(bySeconds: -3_600)
    let use = TokenUse(
      TokenIdentity(signIn: "a"), .begun(earlier), until: now.advanced(bySeconds: 600))
    #expect(try await used.remember(use, at: earlier))
    #expect(try await !used.remember(use, at: earlier))
  }

  @Test("Health writes, and says what the append-only file survives")
  func health() async throws {
    let used = RedisReplayStore(server)
    #expect(try await used.check(at: now).note.contains("the default"))
    for (value, text) in [("everysec", "not of the machine"), ("always", "process and machine")] {
      server.says(appendFsync: value)
      let note = try await used.check(at: now).note
      #expect(note.contains("appendfsync") && note.contains(text), "\(note)")
    }
    server.isFull(true)
    let error = await #expect(throws: TokenError.self) { try await used.check(at: now) }
    #expect(error?.code == .storeRefused && error?.found?.contains("OOM") == true)
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

  /// A server at which something is done behind the first `GET`.
  private final class Interposed: RedisCommands {
    let server: SimulatedRedis
    private let between: Mutex<(@Sendable () async throws -> Void)?>

    init(_ server: SimulatedRedis, _ work: @escaping @Sendable () async throws -> Void) {
      self.server = server
      between = Mutex(work)
    }

    func replies(to commands: [RESPCommand]) async throws(TokenError) -> [RESPReply] {
      let replies = try await server.replies(to: commands)
      if commands.contains(where: { $0.words[0] == Array("GET".utf8) }),
        let work = between.withLock({ work in
          defer { work = nil }
          return work
        })
      {
        try? await work()
      }
      return replies
    }
  }

  @Test("RP-24: A use does not write back what another node replaced, or ended, in the meantime")
  func uses() async throws {
    let store = try sessions()
    let (id, _) = SessionID.make()
    let before = StorePromiseTests.session()
    let principal = FederatedPrincipal(
      issuer: before.principal.issuer, subject: before.principal.subject,
      claims: ClaimSet([Claim("role", "new")]), format: before.principal.format,
      issuerSession: before.principal.issuerSession, warnings: [])
    let after = SignedInSession(
      principal: principal, provider: before.provider, begun: before.begun, end: before.end,
      lastUse: before.lastUse)
    func use(_ work: @escaping @Sendable () async throws -> Void) async throws -> SignedInSession? {
      try await store.insert(before, id)
      let busy = Interposed(server, work)
      try await RedisSessionStore(
        busy, origin: HTTPURL("https://rp.example/").origin, sealing: [key], lifetime: 28_800,
        idle: 1_800, namespace: "a"
      ).use(id, at: before.lastUse.advanced(bySeconds: 60))
      defer { server.forgets() }
      return try await store.session(id)
    }
    let replaced = try #require(try await use { try await store.replace(after, id) })
    #expect(replaced.principal.claims["role"] == ["new"])
    #expect(replaced.lastUse == before.lastUse.advanced(bySeconds: 60))
    #expect(try await use { try await store.remove(id) } == nil)
    let alone = try #require(try await use {})
    #expect(alone.lastUse == before.lastUse.advanced(bySeconds: 60))
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
    for answer in [
      RESPReply.integer(1), .status(Array("QUEUED".utf8)), .octets([1]), .list([]),
      .status(Array("OK".utf8)),
    ] {
      server.becomes(.answering([answer]))
      let error = await #expect(throws: TokenError.self) { try await attempts[0]() }
      #expect(error?.code == .storeProtocol)
    }
    for answers in [
      [RESPReply.status(Array("OK".utf8))], [.status(Array("HELLO".utf8))],
      [.list([.octets([48]), .list([]), .list([])])],
    ] {
      server.becomes(.answering(answers))
      for ask in [
        { try await used.check(at: now) }, { try await server.check() },
        { _ = try await store.found { _ in true } },
      ] as [@Sendable () async throws -> Void] {
        let error = await #expect(throws: TokenError.self) { try await ask() }
        #expect(error?.code == .storeProtocol)
      }
    }
    server.becomes(.well)
    #expect(try await used.remember(identity, until: now.advanced(bySeconds: 9), at: now))
    #expect(try await store.session(id) != nil)
  }

  @Test("SVC-8: A token that the server would forget at once is not accepted")
  func longOver() async throws {
    let used = RedisReplayStore(server)
    let identity = TokenIdentity(signIn: "a")
    let error = await #expect(throws: TokenError.self) {
      try await used.remember(identity, until: now.advanced(bySeconds: -1_200), at: now)
    }
    #expect(error?.code == .storeClock)
    #expect(try await used.remember(identity, until: now.advanced(bySeconds: -1_199), at: now))
  }

  @Test("A session that is over is not used any more")
  func overIsOver() async throws {
    let store = try sessions()
    let (id, _) = SessionID.make()
    try await store.insert(StorePromiseTests.session(end: 100), id)
    let last = try await store.session(id)?.lastUse
    try await store.use(id, at: now.advanced(bySeconds: 100))
    #expect(try await store.session(id)?.lastUse == last)
    try await store.use(id, at: now.advanced(bySeconds: 99))
    #expect(try await store.session(id)?.lastUse == now.advanced(bySeconds: 99))
  }

  @Test("An entry leaves the index that has it; another index of the sign-in stays as it is")
  func twoIndexes() async throws {
    let store = try sessions()
    try await store.insert(StorePromiseTests.session(index: "_1", end: 100), SessionID.make().id)
    server.advance(milliseconds: 101_000)
    try await store.insert(StorePromiseTests.session(index: "_2", end: 7_200), SessionID.make().id)
    #expect(server.sets.sorted() == [1, 1, 1])
  }

  @Test("SVC-8: A session of one application is none at another with the same keys and namespace")
  func otherApplication() async throws {
    let (id, _) = SessionID.make()
    let session = StorePromiseTests.session(index: "_1")
    let (one, other) = (try sessions(), try sessions(of: "https://other.example/"))
    try await one.insert(session, id)
    #expect(try await other.session(id) == nil)
    // Nor does it touch it, by sign-out or by a logout message.
    try await other.remove(id)
    let ended = EndedSessions(provider: "campus", issuer: session.principal.issuer, .subject("ada"))
    #expect(try await other.remove(ended) == 0)
    #expect(try await one.session(id) != nil)
    #expect(try await one.remove(ended) == 1)
  }

  @Test("A session of a later release is none here, and a logout ends it all the same")
  func laterSession() async throws {
    let store = try sessions()
    let (id, other) = (SessionID.make().id, SessionID.make().id)
    try await store.insert(StorePromiseTests.session(), id)
    let name = try #require(server.keys.first { $0.starts(with: Array("a:s:".utf8)) })
    let sealing = try #require(SealingKey(key))
    let context = PrefixedTexts.octets(["https://rp.example"]) + name
    server.tamper { value in
      guard let octets = sealing.open(value, context: context) else { return value }
      let text = String(decoding: octets, as: UTF8.self)
      return sealing.seal(
        Array(text.replacing("{\"v\":1,", with: "{\"v\":2,").utf8), context: context) ?? []
    }
    try await store.insert(StorePromiseTests.session(subject: "bob"), other)
    #expect(try await store.session(id) == nil)
    let ended = EndedSessions(provider: "campus", issuer: "https://idp.example/", .subject("ada"))
    #expect(try await store.remove(ended) == 1)
    #expect(!server.keys.contains(name))
    #expect(try await store.session(other) != nil)
  }

  @Test("Whatever is under the name of a used token counts as its use")
  func garbageUses() async throws {
    let used = RedisReplayStore(server)
    let identity = TokenIdentity(signIn: "a")
    let end = now.advanced(bySeconds: 60)
    #expect(try await used.remember(identity, until: end, at: now))
    let others = server.keys.filter { !$0.starts(with: Array("federation:u:".utf8)) }
    #expect(others.count + 1 == server.keys.count)
    server.tamper { $0 == [0x31] ? [0xFF, 0] : $0 }
    #expect(try await !used.remember(identity, until: end, at: now))
  }

  @Test("SVC-8: Sessions that end leave the index with the next sign-ins; living ones stay in it")
  func indexShrinks() async throws {
    let store = try sessions()
    for _ in 0..<50 {
      try await store.insert(StorePromiseTests.session(end: 100), SessionID.make().id)
    }
    let (living, _) = SessionID.make()
    try await store.insert(StorePromiseTests.session(end: 7_200), living)
    server.advance(milliseconds: 101_000)
    try await store.insert(StorePromiseTests.session(end: 7_200), SessionID.make().id)
    #expect(server.sets == [2])
    let ended = EndedSessions(provider: "campus", issuer: "https://idp.example/", .subject("ada"))
    #expect(try await store.remove(ended) == 2)
    #expect(try await store.session(living) == nil && server.sets == [])
  }

  @Test(
    "An entry of the index whose session is about to come stays, and one of an earlier release is read"
  )
  func entries() async throws {
    let store = try sessions()
    let (id, _) = SessionID.make()
    try await store.insert(StorePromiseTests.session(), id)
    // The index comes first: another node may look in between.
    try await store.remove(id)
    server.advance(milliseconds: 29_000)
    try await store.insert(StorePromiseTests.session(), SessionID.make().id)
    #expect(server.sets == [2])
    server.advance(milliseconds: 2_000)
    try await store.insert(StorePromiseTests.session(), SessionID.make().id)
    #expect(server.sets == [2])
    server.cutMembers(to: 32)
    #expect(
      try await store.remove(
        EndedSessions(provider: "campus", issuer: "https://idp.example/", .subject("ada"))) == 2)
  }

  @Test(
    "SVC-8: A node with other keys is told so, until nobody with the first ones is there any more")
  func otherKeys() async throws {
    let (one, other) = (try sessions(), try sessions([[UInt8](repeating: 2, count: 32)]))
    try await one.check()
    try await one.check()
    let error = await #expect(throws: TokenError.self) { try await other.check() }
    #expect(error?.code == .storeOtherKeys)
    // Whoever is checked keeps the word alive.
    server.advance(milliseconds: 119_000)
    try await one.check()
    server.advance(milliseconds: 119_000)
    let still = await #expect(throws: TokenError.self) { try await other.check() }
    #expect(still?.code == .storeOtherKeys)
    try await sessions([[UInt8](repeating: 2, count: 32), key]).check()
    try await sessions(of: "https://other.example/").check()
    server.advance(milliseconds: 120_000)
    try await other.check()
  }
}
