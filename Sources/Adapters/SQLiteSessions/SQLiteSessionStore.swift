#if Server
  import FoundationEssentials
  import GRDB
  import LocalFiles
  import Octets
  public import SignIn
  import Synchronization

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #else
    import Darwin
  #endif

  /// Sessions, finished sign-ins and used tokens in one SQLite file: they survive a restart, and `kill -9`.
  ///
  /// One process at a time serves from a file, and keeps the sessions in use in memory, so that a request reads no
  /// file; a second one is told so (`signin.session-store-owned`). A process that shares the file reads it for each
  /// request; the owner notices what such a process wrote within a tenth of a second.
  public final class SQLiteSessionStore: SessionStore, ReplayStore {
    let database: DatabasePool
    let path: String
    /// What the owner knows beside the file; nil in a store that shares it.
    let owned: Owned?
    private let patience: Duration
    /// Until when the next write waits for a lock of another process.
    private let latest: Latest

    struct Owned: Sendable {
      let recent: Shared
      let foreign: ForeignWrites
      /// Held as long as the store.
      let lock: OpenFile
      /// How long what others wrote may go unnoticed.
      let foreignInterval: Duration
    }

    final class Shared: Sendable {
      let sessions: Mutex<RecentSessions>
      /// When others were last asked for, and when the file last refused a use.
      let asked = Mutex<(foreign: ContinuousClock.Instant?, refusal: ContinuousClock.Instant?)>(
        (nil, nil))

      init(_ capacity: Int) { sessions = Mutex(RecentSessions(capacity: capacity)) }
    }

    private final class Latest: Sendable {
      let instant = Mutex<ContinuousClock.Instant?>(nil)
    }

    /// Opens the file, or makes it, readable by its owner alone. A file of an older release is brought up to date.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - isShared: Whether other processes use the file at the same time. A store that is not shared owns it.
    ///   - capacity: The most sessions that are in memory beside the file.
    ///   - patience: Seconds to wait for another process that has the file locked.
    ///   - foreignInterval: After that long the owner asks whether others wrote to the file.
    /// - Throws: `signin.session-store`, `signin.session-store-owned`, `signin.session-store-version`.
    public convenience init(
      path: String, isShared: Bool = false, capacity: Int = 2_000, patience: Double = 5,
      foreignInterval: Duration = .milliseconds(100)
    ) throws(TokenError) {
      try self.init(
        path: path, isShared: isShared, capacity: capacity, patience: patience,
        opening: patience, foreignInterval: foreignInterval)
    }

    /// - Parameter opening: Seconds to wait for another process while the file is opened.
    init(
      path: String, isShared: Bool = false, capacity: Int = 2_000, patience: Double = 5,
      opening: Double, foreignInterval: Duration = .milliseconds(100)
    ) throws(TokenError) {
      let opening = Duration.milliseconds(Int64(opening * 1_000))
      self.path = path
      self.patience = .milliseconds(Int64(patience * 1_000))
      let lock = isShared ? nil : try Self.lock(path, opening)
      let latest = Latest()
      self.latest = latest
      var configuration = Configuration()
      configuration.maximumReaderCount = 4
      configuration.busyMode = .callback { _ in
        guard let end = latest.instant.withLock({ $0 }), ContinuousClock.now < end else {
          return false
        }
        usleep(2_000)
        return true
      }
      configuration.prepareDatabase { database in
        // In WAL mode NORMAL loses nothing when a process is killed, only when the machine loses power.
        try database.execute(sql: "PRAGMA synchronous = NORMAL")
      }
      // SQLite makes a file with the rights of the process, and the ones beside it with those of the file.
      _ = try? OpenFile(creating: path)
      let end = ContinuousClock.now + opening
      latest.instant.withLock { $0 = end }
      do {
        database = try Self.open(path, configuration, until: end)
        let database = database
        try database.write { try SessionTable.prepare($0) }
        if let lock {
          let count = try database.writeWithoutTransaction { try Self.foreignWrites($0) }
          let recent = Shared(capacity)
          recent.sessions.withLock { $0.note(foreignWrites: count) }
          owned = Owned(
            recent: recent, foreign: try ForeignWrites(path: path), lock: lock,
            foreignInterval: foreignInterval)
        } else {
          owned = nil
        }
      } catch let error as SessionTable.NewerFile {
        throw TokenError(
          .signInSessionStoreVersion, node: path, expected: "version \(SessionTable.version)",
          found: "version \(error.version)")
      } catch {
        throw Self.failure(error, path)
      }
    }

    /// Two processes that make one file at once get in each other's way for a moment.
    private static func open(
      _ path: String, _ configuration: Configuration, until end: ContinuousClock.Instant
    ) throws -> DatabasePool {
      while true {
        do {
          return try DatabasePool(path: path, configuration: configuration)
        } catch let error as DatabaseError
          where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < end
        {
          usleep(2_000)
        }
      }
    }

    // MARK: Sessions

    /// Keeps a session.
    ///
    /// - Throws: `signin.session-store`.
    public func insert(_ session: SignedInSession, _ id: SessionID) async throws(TokenError) {
      try await write { database in
        try SessionTable.insert(session, Self.blob(id.digest), database)
      }
      // As it comes back from the file: the claims of a token keep its whole document.
      if let owned, let session = SignedInSession(json: session.json) {
        owned.recent.sessions.withLock { $0.keep(session, id) }
      }
    }

    /// The session; nil if there is none.
    ///
    /// - Throws: `signin.session-store`.
    public func session(_ id: SessionID) async throws(TokenError) -> SignedInSession? {
      guard let owned else { return try await read(id) }
      try await noticeOthers(owned)
      let (known, removals) = owned.recent.sessions.withLock { ($0.session(id), $0.removals) }
      if let known { return known }
      guard var session = try await read(id) else { return nil }
      owned.recent.sessions.withLock { recent in
        if let use = recent.unwritten[id] { session.lastUse = max(session.lastUse, use) }
        if recent.removals == removals { recent.keep(session, id) }
      }
      return session
    }

    private func read(_ id: SessionID) async throws(TokenError) -> SignedInSession? {
      let row: (content: [UInt8], lastUse: Int64)?
      do {
        row = try await database.read { database in
          let row = try Row.fetchOne(
            database, sql: "SELECT content, lastUse FROM session WHERE id = ?",
            arguments: [Self.blob(id.digest)])
          return row.map { row in
            let content: Data = row[0]
            return (Array(content), row[1])
          }
        }
      } catch {
        throw Self.failure(error, path)
      }
      guard let row, var session = SignedInSession(json: row.content) else { return nil }
      session.lastUse = Instant(secondsSinceEpoch: row.lastUse)
      return session
    }

    /// Notes that the session was used. Where the file cannot take it, its owner knows it all the same: a full disk
    /// keeps nobody who is signed in from working, and health says that nobody else can sign in.
    ///
    /// - Throws: `signin.session-store` in a store that is shared.
    public func use(_ id: SessionID, at now: Instant) async throws(TokenError) {
      guard let owned else { return try await write(uses: [id: now]) }
      owned.recent.sessions.withLock { $0.use(id, at: now, isWritten: false) }
      // While the file refuses, not everybody tries it.
      let refusal = owned.recent.asked.withLock { $0.refusal }
      if let refusal, ContinuousClock.now < refusal + .seconds(5) { return }
      // A check waits for the file only for a moment: another process may have it locked.
      _ = await WaitLimit.value(within: Self.useWait) { await self.writeUses(owned) }
    }

    static let useWait = Duration.milliseconds(100)

    private func writeUses(_ owned: Owned) async {
      let uses = owned.recent.sessions.withLock { $0.unwritten }
      do throws(TokenError) {
        try await write(uses: uses)
        owned.recent.sessions.withLock { $0.wrote(uses) }
      } catch {
        owned.recent.asked.withLock { $0.refusal = ContinuousClock.now }
      }
    }

    private func write(uses: [SessionID: Instant]) async throws(TokenError) {
      try await write { database in
        for (id, instant) in uses {
          try database.execute(
            sql: "UPDATE session SET lastUse = ? WHERE id = ? AND lastUse < ?",
            arguments: [instant.seconds, Self.blob(id.digest), instant.seconds])
        }
      }
    }

    /// Removes a session.
    ///
    /// - Throws: `signin.session-store`.
    public func remove(_ id: SessionID) async throws(TokenError) {
      try await write { database in
        try database.execute(
          sql: "DELETE FROM session WHERE id = ?", arguments: [Self.blob(id.digest)])
      }
      owned?.recent.sessions.withLock { $0.remove(id) }
    }

    /// Removes the sessions that a logout message ends: those that an index finds, some at a time, so that nobody
    /// else waits for all of them.
    ///
    /// - Throws: `signin.session-store`; some of them may be removed then.
    public func remove(_ ended: EndedSessions) async throws(TokenError) -> Int {
      let (column, key) = LogoutKeys.place(ended)
      var last = Data()
      var count = 0
      while true {
        let found: [(id: Data, isEnded: Bool)]
        do {
          found = try await database.read { [last] database in
            let rows = try Row.fetchCursor(
              database,
              sql: """
                SELECT id, content FROM session WHERE \(column) = ? AND id > ? ORDER BY id LIMIT \(Self.batch)
                """, arguments: [key, last])
            var found: [(id: Data, isEnded: Bool)] = []
            while let row = try rows.next() {
              let content: Data = row[1]
              let session = SignedInSession(json: Array(content))
              // One of a later release, which this one cannot read, is ended, too: nobody else may be told of the logout.
              found.append((row[0], session.map(ended.contains) ?? true))
            }
            return found
          }
        } catch {
          throw Self.failure(error, path)
        }
        guard let end = found.last?.id else { return count }
        last = end
        let ids = found.lazy.filter(\.isEnded).map(\.id)
        try await delete(Array(ids))
        count += ids.count
      }
    }

    private func delete(_ ids: [Data]) async throws(TokenError) {
      guard !ids.isEmpty else { return }
      try await write { database in
        for id in ids {
          try database.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [id])
        }
      }
      let digests = Set(ids.map { Array($0) })
      owned?.recent.sessions.withLock { $0.remove { id, _ in digests.contains(id.digest) } }
    }

    /// Rows of one step: a few milliseconds.
    private static let batch = 200

    /// Removes the sessions that are over, and used tokens that have expired.
    ///
    /// - Throws: `signin.session-store`.
    public func sweep(at now: Instant, idle: Int64) async throws(TokenError) {
      if let owned {
        // The file may not know the last uses.
        let uses = owned.recent.sessions.withLock { $0.unwritten }
        if !uses.isEmpty {
          try await write(uses: uses)
          owned.recent.sessions.withLock { $0.wrote(uses) }
        }
        owned.recent.sessions.withLock {
          $0.remove { _, session in session.isOver(at: now, idle: idle) }
        }
      }
      try await sweep("session", "end", now.seconds)
      try await sweep("session", "lastUse", now.seconds - idle)
      try await sweep("used", "until", now.seconds)
    }

    private func sweep(
      _ table: String, _ column: String, _ limit: Int64
    ) async throws(TokenError) {
      while true {
        let count: Int
        do {
          count = try await writing { database in
            try database.execute(
              sql: """
                DELETE FROM \(table) WHERE id IN (SELECT id FROM \(table) WHERE \(column) <= ? LIMIT \(Self.batch))
                """, arguments: [limit])
            return database.changesCount
          }
        } catch {
          throw Self.failure(error, path)
        }
        if count < Self.batch { return }
      }
    }

    // MARK: Used tokens

    /// Remembers a token; of two calls at once one gets true, since the primary key is unique.
    ///
    /// - Throws: `signin.session-store`.
    public func remember(
      _ identity: TokenIdentity, until end: Instant, at now: Instant
    ) async throws(TokenError) -> Bool {
      do {
        return try await writing { database in
          try UsedTokens.remember(identity, until: end, at: now, in: database)
        }
      } catch {
        throw Self.failure(error, path)
      }
    }

    // MARK: The file

    private func write(
      _ body: @escaping @Sendable (Database) throws -> Void
    ) async throws(TokenError) {
      do {
        try await writing(body)
      } catch {
        throw Self.failure(error, path)
      }
    }

    /// Writes in a transaction. Everybody waits for a lock of another process from the moment that they asked, not
    /// one after the other.
    func writing<Value: Sendable>(
      _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
      let end = ContinuousClock.now + patience
      return try await database.writeWithoutTransaction { [latest, owned] database in
        latest.instant.withLock { $0 = end }
        var value: Value?
        try database.inTransaction(.immediate) {
          value = try body(database)
          return .commit
        }
        owned?.foreign.noteOwn()
        guard let value else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
        return value
      }
    }
  }
#endif
