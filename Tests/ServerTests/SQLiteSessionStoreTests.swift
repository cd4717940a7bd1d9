#if Server
  import Foundation
  import GRDB
  import IdentityProviderTesting
  @testable import SQLiteSessions
  import SignIn
  import TestSupport
  import Testing

  @Suite("Sessions in a file")
  struct SQLiteSessionStoreTests {
    private let now = Instant(secondsSinceEpoch: 1_893_499_200)
    private let path = FileManager.default.temporaryDirectory
      .appending(path: "sessions-\(UUID().uuidString).db").path()

    /// A principal of a verified response, as a sign-in makes it.
    private func session(
      _ claims: [Claim] = [], end: Int64 = 3600
    ) async throws -> SignedInSession {
      let idp = try IdentityProviderSimulator()
      let service = try ServiceProvider(
        entityID: "https://app.example/saml", consumer: HTTPURL("https://app.example/saml/acs"))
      let principal = try await service.finishUnsolicited(
        SAMLAnswer(idp.message(.init(claims: claims))), from: idp.provider,
        trust: Trust(issuers: [idp.trusted], audiences: .oneOf([])), used: MemoryReplayStore(),
        at: now)
      return SignedInSession(
        principal: principal, provider: "campus", begun: now, end: now.advanced(bySeconds: end),
        lastUse: now)
    }

    @Test("A session and a used answer survive the end of the process")
    func survives() async throws {
      let (id, _) = SessionID.make()
      let claims = [Claim("role", "größe", originalIssuer: "urn:first"), Claim("role", "b")]
      let session = try await session(claims)
      let identity = TokenIdentity(signIn: "a")
      do {
        let store = try SQLiteSessionStore(path: path)
        try await store.insert(session, id)
        try await store.use(id, at: now.advanced(bySeconds: 90))
        #expect(try await store.remember(identity, until: now.advanced(bySeconds: 10), at: now))
      }
      let store = try SQLiteSessionStore(path: path)
      let found = try #require(try await store.session(id))
      #expect(found.principal.claims == session.principal.claims)
      #expect(found.principal.issuerSession == session.principal.issuerSession)
      #expect(found.lastUse == now.advanced(bySeconds: 90) && found.provider == "campus")
      #expect(try await !store.remember(identity, until: now.advanced(bySeconds: 10), at: now))
      let later = now.advanced(bySeconds: 11)
      #expect(try await store.remember(identity, until: later, at: later))
      try await store.remove(id)
      #expect(try await store.session(id) == nil)
    }

    @Test("The file and the ones beside it are readable by their owner alone")
    func rights() async throws {
      let store = try SQLiteSessionStore(path: path)
      _ = try await store.remember(
        TokenIdentity(signIn: "a"), until: now.advanced(bySeconds: 60), at: now)
      for file in [path, path + "-wal", path + "-shm"] {
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600, "\(file)")
      }
    }

    @Test("RP-21: Of a hundred uses of one answer at once, one is the first")
    func once() async throws {
      let store = try SQLiteSessionStore(path: path)
      let identity = TokenIdentity(signIn: "b")
      let firsts = try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<100 {
          group.addTask { [now] in
            try await store.remember(identity, until: now.advanced(bySeconds: 9), at: now)
          }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(firsts == 1)
    }

    @Test("Sessions are swept when they are over, and end by issuer and subject")
    func sweeps() async throws {
      let store = try SQLiteSessionStore(path: path, capacity: 2)
      var ids: [SessionID] = []
      for end in [10, 3600, 3600, 3600] as [Int64] {
        ids.append(SessionID.make().id)
        try await store.insert(session(end: end), ids[ids.count - 1])
      }
      try await store.sweep(at: now.advanced(bySeconds: 20), idle: 1800)
      #expect(try await store.session(ids[0]) == nil)
      #expect(try await store.session(ids[1]) != nil)
      for (issuer, count) in [("https://other.example/", 0), ("https://idp.example/", 3)] {
        let ended = EndedSessions(provider: "campus", issuer: issuer, .subject("ada"))
        #expect(try await store.remove(ended) == count)
      }
      #expect(try await store.session(ids[3]) == nil)
      // What was never used is swept from the file, too.
      let (idle, living) = (SessionID.make().id, SessionID.make().id)
      for id in [idle, living] { try await store.insert(session(end: 3600), id) }
      try await store.use(living, at: now.advanced(bySeconds: 30))
      try await store.sweep(at: now.advanced(bySeconds: 40), idle: 30)
      #expect(try await store.session(idle) == nil)
      #expect(try await store.session(living) != nil)
    }

    @Test("While another process has the file locked nothing is accepted, and nothing is lost")
    func locked() async throws {
      let store = try SQLiteSessionStore(path: path, patience: 0.01)
      let (kept, refused) = (SessionID.make().id, SessionID.make().id)
      try await store.insert(try await session(), kept)
      let identity = TokenIdentity(signIn: "c")
      let session = try await session()
      let now = now
      var configuration = Configuration()
      configuration.allowsUnsafeTransactions = true
      let other = try DatabaseQueue(path: path, configuration: configuration)
      try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
      let attempts: [@Sendable () async throws -> Void] = [
        { _ = try await store.remember(identity, until: now, at: now) },
        { try await store.insert(session, refused) },
      ]
      for attempt in attempts {
        let error = await #expect(throws: TokenError.self) { try await attempt() }
        #expect(error?.code == .signInSessionStore)
      }
      #expect(try await store.session(kept) != nil)
      try await other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
      #expect(try await store.remember(identity, until: now.advanced(bySeconds: 9), at: now))
      #expect(try await store.session(refused) == nil)
      #expect(try await store.session(kept) != nil)
    }

    @Test(
      "A file that is no database, or cannot be written, has a code; a copy of it opens no session")
    func bad() async throws {
      try Data(repeating: 7, count: 4096).write(to: URL(filePath: path))
      for path in [path, "/nonexistent/folder/sessions.db"] {
        let error = #expect(throws: TokenError.self) { try SQLiteSessionStore(path: path) }
        #expect(error?.code == .signInSessionStore)
      }
      try FileManager.default.removeItem(atPath: path)
      let (id, cookie) = SessionID.make()
      let store = try SQLiteSessionStore(path: path)
      try await store.insert(session(), id)
      for name in try FileManager.default.contentsOfDirectory(
        atPath: FileManager.default.temporaryDirectory.path())
      where (path as NSString).lastPathComponent
        == name.prefix((path as NSString).lastPathComponent.count)
      {
        let file = FileManager.default.temporaryDirectory.appending(path: name)
        #expect(try Data(contentsOf: file).firstRange(of: Data(cookie.revealed.utf8)) == nil)
      }
    }

    @Test("A session of a later release is none here, and a logout ends it all the same")
    func laterSession() async throws {
      let (id, other) = (SessionID.make().id, SessionID.make().id)
      let store = try SQLiteSessionStore(path: path, isShared: true)
      try await store.insert(session(), id)
      try await DatabaseQueue(path: path).write { database in
        try database.execute(
          sql:
            "UPDATE session SET content = CAST(replace(content, '{\"v\":1,', '{\"v\":2,') AS BLOB)")
      }
      try await store.insert(session(), other)
      #expect(try await store.session(id) == nil)
      #expect(try await store.session(other) != nil)
      let ended = EndedSessions(
        provider: "campus", issuer: "https://another.example/", .subject("ada"))
      #expect(try await store.remove(ended) == 0)
      let all = EndedSessions(provider: "campus", issuer: "https://idp.example/", .subject("ada"))
      #expect(try await store.remove(all) == 2)
      let count = try await DatabaseQueue(path: path).read { database in
        try Int.fetchOne(database, sql: "SELECT count(*) FROM session")
      }
      #expect(count == 0)
    }

    /// A session of another subject, so many times.
    private func fill(
      _ store: SQLiteSessionStore, _ count: Int, subject: String = "eve"
    ) async throws -> [SessionID] {
      let first = try await session()
      var json = String(decoding: first.json, as: UTF8.self)
      json = json.replacingOccurrences(
        of: "\"subject\":\"ada\"", with: "\"subject\":\"\(subject)\"")
      let other = try #require(SignedInSession(json: Array(json.utf8)))
      var ids: [SessionID] = []
      for _ in 0..<count {
        ids.append(SessionID.make().id)
        try await store.insert(other, ids[ids.count - 1])
      }
      return ids
    }

    @Test(
      "SVC-8: A second owner of the file is told of the first; once that has ended it is the owner")
    func owner() async throws {
      do {
        let first = try SQLiteSessionStore(path: path)
        let error = #expect(throws: TokenError.self) {
          try SQLiteSessionStore(path: path, patience: 0.01)
        }
        #expect(error?.code == .signInSessionStoreOwned && error?.node == path)
        try await first.insert(session(), SessionID.make().id)
      }
      _ = try SQLiteSessionStore(path: path, patience: 0.01)
    }

    @Test(
      "SVC-8: What another process ends is over for the owner, and for those that share the file")
    func others() async throws {
      let owner = try SQLiteSessionStore(path: path, foreignInterval: .zero)
      let tools = [
        try SQLiteSessionStore(path: path, isShared: true),
        try SQLiteSessionStore(path: path, isShared: true),
      ]
      let (id, ended) = (SessionID.make().id, SessionID.make().id)
      try await owner.insert(session(), id)
      try await owner.insert(session(), ended)
      #expect(try await owner.session(ended) != nil)
      #expect(try await tools[1].session(ended) != nil)
      try await tools[0].remove(ended)
      #expect(try await owner.session(ended) == nil)
      #expect(try await tools[1].session(ended) == nil)
      #expect(try await owner.session(id) != nil)
      let added = SessionID.make().id
      try await tools[0].insert(session(), added)
      #expect(try await owner.session(added) != nil)
    }

    @Test("A logout reads the sessions that it names and no other")
    func indexed() async throws {
      let store = try SQLiteSessionStore(path: path)
      let kept = try await fill(store, 450)
      let ended = try await fill(store, 450, subject: "mallory")
      // Beyond one step of the store, so that none of them is left over.
      #expect(
        try await store.remove(
          EndedSessions(provider: "campus", issuer: "https://idp.example/", .subject("mallory")))
          == 450)
      #expect(try await store.session(ended[449]) == nil)
      #expect(try await store.session(kept[449]) != nil)
      #expect(
        try await store.remove(
          EndedSessions(provider: "campus", issuer: "https://idp.example/", .subject("nobody")))
          == 0)
      let plan = try await DatabaseQueue(path: path).read { database in
        try Row.fetchAll(
          database,
          sql: "EXPLAIN QUERY PLAN SELECT id, content FROM session WHERE subject = ? AND id > ?",
          arguments: [Data([1]), Data()]
        ).map { "\($0)" }.joined()
      }
      #expect(plan.contains("sessionSubject"), "\(plan)")
    }

    @Test(
      "A file without a version is brought up to date with its sessions; one of a later release is refused"
    )
    func versions() async throws {
      let (id, session) = (SessionID.make().id, try await session())
      do {
        let old = try DatabaseQueue(path: path)
        let (now, json) = (now, session.json)
        try await old.write { database in
          try database.execute(
            sql: """
              CREATE TABLE session (
                id BLOB PRIMARY KEY, issuer TEXT NOT NULL, end INTEGER NOT NULL,
                lastUse INTEGER NOT NULL, content BLOB NOT NULL) WITHOUT ROWID;
              CREATE INDEX sessionIssuer ON session (issuer);
              CREATE TABLE used (id BLOB PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID;
              """)
          try database.execute(
            sql: "INSERT INTO session (id, issuer, end, lastUse, content) VALUES (?, ?, ?, ?, ?)",
            arguments: [
              Data(id.digest), "https://idp.example/", now.seconds + 3_600, now.seconds + 60,
              Data(json),
            ])
          try database.execute(
            sql: "INSERT INTO used (id, until) VALUES (?, ?)",
            arguments: [Data(TokenIdentity(signIn: "old").octets), now.seconds + 60])
        }
        try old.close()
      }
      do {
        try SQLiteSessionStore.check(path: path)
        let store = try SQLiteSessionStore(path: path)
        let found = try #require(try await store.session(id))
        #expect(found.principal.claims == session.principal.claims)
        #expect(found.lastUse == now.advanced(bySeconds: 60))
        #expect(
          try await !store.remember(
            TokenIdentity(signIn: "old"), until: now.advanced(bySeconds: 60), at: now))
        #expect(
          try await store.remove(
            EndedSessions(provider: "campus", issuer: "https://idp.example/", .subject("ada")))
            == 1)
      }
      let queue = try DatabaseQueue(path: path)
      // No session stays behind in a table that nobody sweeps.
      #expect(try await queue.read { try !$0.tableExists("session1") })
      try await queue.write { try $0.execute(sql: "PRAGMA user_version = 99") }
      _ = try await queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
      let attempts: [() throws -> Void] = [
        { [path] in _ = try SQLiteSessionStore(path: path) },
        { [path] in try SQLiteSessionStore.check(path: path) },
      ]
      for attempt in attempts {
        let error = #expect(throws: TokenError.self) { try attempt() }
        #expect(error?.code == .signInSessionStoreVersion)
      }
    }

    @Test(
      "A use that came while another was written is still to be written; what others write makes all old"
    )
    func recent() async throws {
      var recent = RecentSessions(capacity: 4)
      let (id, session) = (SessionID.make().id, try await session())
      recent.keep(session, id)
      recent.use(id, at: now, isWritten: false)
      let uses = recent.unwritten
      recent.use(id, at: now.advanced(bySeconds: 60), isWritten: false)
      recent.wrote(uses)
      #expect(recent.unwritten[id] == now.advanced(bySeconds: 60))
      recent.wrote(recent.unwritten)
      #expect(recent.unwritten.isEmpty)
      recent.note(foreignWrites: 1)
      recent.note(foreignWrites: 1)
      #expect(recent.session(id) != nil)
      recent.note(foreignWrites: 2)
      #expect(recent.session(id) == nil)
    }

    @Test("To check a file makes none, and tells a database from something else")
    func checks() throws {
      try SQLiteSessionStore.check(path: path)
      #expect(!FileManager.default.fileExists(atPath: path))
      let cut = Data("SQLite format 3\0".utf8) + Data(repeating: 0, count: 34)
      try cut.write(to: URL(filePath: path))
      let error = #expect(throws: TokenError.self) { try SQLiteSessionStore.check(path: path) }
      #expect(error?.code == .signInSessionStore)
      try Data(repeating: 7, count: 4096).write(to: URL(filePath: path))
      for path in [path, "/nonexistent/folder/sessions.db"] {
        let error = #expect(throws: TokenError.self) { try SQLiteSessionStore.check(path: path) }
        #expect(error?.code == .signInSessionStore && error?.node == path)
      }
    }

    @Test(
      "While the file takes nothing, who is signed in stays so for as long as they work; nobody else signs in"
    )
    func refusing() async throws {
      let store = try SQLiteSessionStore(path: path, patience: 0.01)
      let id = SessionID.make().id
      try await store.insert(try await session(), id)
      var configuration = Configuration()
      configuration.allowsUnsafeTransactions = true
      let other = try DatabaseQueue(path: path, configuration: configuration)
      try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
      for minute in 1...3 as ClosedRange<Int64> {
        let later = now.advanced(bySeconds: 60 * minute)
        try await store.use(id, at: later)
        #expect(try await store.session(id)?.lastUse == later)
      }
      let error = await #expect(throws: TokenError.self) { try await store.probe(at: now) }
      #expect(error?.code == .signInSessionStore)
      try await other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
      try await store.probe(at: now)
      // What the file missed it has now.
      try await store.sweep(at: now.advanced(bySeconds: 240), idle: 1_800)
      let shared = try SQLiteSessionStore(path: path, isShared: true)
      #expect(try await shared.session(id)?.lastUse == now.advanced(bySeconds: 180))
    }
  }
#endif
