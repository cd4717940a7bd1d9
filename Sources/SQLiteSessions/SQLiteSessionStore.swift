#if Server
  import FoundationEssentials
  import GRDB
  import LocalFiles
  public import SingleSignOn
  import Synchronization

  /// Sessions, finished sign-ins and used tokens in one SQLite file: they survive a restart, and `kill -9`.
  ///
  /// Sessions in use are in memory too, so that a request reads no file; one process at a time uses a file.
  public final class SQLiteSessionStore: SessionStore, ReplayStore {
    let database: DatabaseQueue
    private let recent: Mutex<RecentSessions>

    /// Opens the file, or makes it, readable by its owner alone.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - capacity: The most sessions that are in memory beside the file.
    ///   - patience: Seconds to wait for another process that has the file locked.
    /// - Throws: `signin.session-store`.
    public init(
      path: String, capacity: Int = 2_000, patience: Double = 5
    ) throws(TokenError) {
      recent = Mutex(RecentSessions(capacity: capacity))
      var configuration = Configuration()
      // `claims-gate doctor` writes beside the gate.
      configuration.busyMode = .timeout(patience)
      configuration.prepareDatabase { database in
        try database.execute(sql: "PRAGMA journal_mode = WAL")
        // In WAL mode NORMAL loses nothing when a process is killed, only when the machine loses power.
        try database.execute(sql: "PRAGMA synchronous = NORMAL")
      }
      // SQLite makes a file with the rights of the process, and the ones beside it with those of the file.
      _ = try? OpenFile(creating: path)
      do {
        database = try DatabaseQueue(path: path, configuration: configuration)
        try database.write { database in
          try database.execute(
            sql: """
              CREATE TABLE IF NOT EXISTS session (
                id BLOB PRIMARY KEY, issuer TEXT NOT NULL, end INTEGER NOT NULL,
                lastUse INTEGER NOT NULL, content BLOB NOT NULL) WITHOUT ROWID;
              CREATE INDEX IF NOT EXISTS sessionIssuer ON session (issuer);
              CREATE TABLE IF NOT EXISTS used (
                id BLOB PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID;
              """)
        }
      } catch {
        throw Self.failure(error)
      }
    }

    /// Keeps a session.
    ///
    /// - Throws: `signin.session-store`.
    public func insert(_ session: SignedInSession, _ id: SessionID) async throws(TokenError) {
      try await write { database in
        try database.execute(
          sql: "INSERT INTO session (id, issuer, end, lastUse, content) VALUES (?, ?, ?, ?, ?)",
          arguments: [
            Self.blob(id.digest), session.principal.issuer, session.end.seconds,
            session.lastUse.seconds, Self.blob(session.json),
          ])
      }
      // As it comes back from the file: the claims of a token keep its whole document.
      if let session = SignedInSession(json: session.json) {
        recent.withLock { $0.keep(session, id) }
      }
    }

    /// The session; nil if there is none.
    ///
    /// - Throws: `signin.session-store`.
    public func session(_ id: SessionID) async throws(TokenError) -> SignedInSession? {
      let (known, removals) = recent.withLock { ($0.session(id), $0.removals) }
      if let known { return known }
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
        throw Self.failure(error)
      }
      guard let row, var session = SignedInSession(json: row.content) else { return nil }
      session.lastUse = Instant(secondsSinceEpoch: row.lastUse)
      recent.withLock { recent in
        if recent.removals == removals { recent.keep(session, id) }
      }
      return session
    }

    /// Notes that the session was used.
    ///
    /// - Throws: `signin.session-store`.
    public func use(_ id: SessionID, at now: Instant) async throws(TokenError) {
      recent.withLock { $0.use(id, at: now) }
      try await write { database in
        try database.execute(
          sql: "UPDATE session SET lastUse = ? WHERE id = ?",
          arguments: [now.seconds, Self.blob(id.digest)])
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
      recent.withLock { $0.remove(id) }
    }

    /// Removes the sessions that a logout message ends.
    ///
    /// - Throws: `signin.session-store`.
    public func remove(_ ended: EndedSessions) async throws(TokenError) -> Int {
      let found: [Data]
      do {
        found = try await database.read { database in
          let rows = try Row.fetchCursor(
            database, sql: "SELECT id, content FROM session WHERE issuer = ?",
            arguments: [ended.issuer])
          var found: [Data] = []
          while let row = try rows.next() {
            let content: Data = row[1]
            if let session = SignedInSession(json: Array(content)),
              ended.contains(session)
            {
              found.append(row[0])
            }
          }
          return found
        }
      } catch {
        throw Self.failure(error)
      }
      try await write { [found] database in
        for id in found {
          try database.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [id])
        }
      }
      let digests = Set(found.map { Array($0) })
      recent.withLock { $0.remove { id, _ in digests.contains(id.digest) } }
      return found.count
    }

    /// Removes the sessions that are over, and used tokens that have expired.
    ///
    /// - Throws: `signin.session-store`.
    public func sweep(at now: Instant, idle: Int64) async throws(TokenError) {
      recent.withLock { $0.remove { _, session in session.isOver(at: now, idle: idle) } }
      try await write { database in
        try database.execute(
          sql: "DELETE FROM session WHERE end <= ? OR lastUse <= ?",
          arguments: [now.seconds, now.seconds - idle])
        try database.execute(sql: "DELETE FROM used WHERE until <= ?", arguments: [now.seconds])
      }
    }

    /// Remembers a token; of two calls at once one gets true, since the primary key is unique.
    ///
    /// - Throws: `signin.session-store`.
    public func remember(
      _ identity: TokenIdentity, until end: Instant, at now: Instant
    ) async throws(TokenError) -> Bool {
      do {
        return try await database.write { database in
          try database.execute(
            sql: """
              INSERT INTO used (id, until) VALUES (?, ?)
              ON CONFLICT (id) DO UPDATE SET until = excluded.until WHERE used.until <= ?
              """, arguments: [Self.blob(identity.octets), end.seconds + 1, now.seconds])
          return database.changesCount == 1
        }
      } catch {
        throw Self.failure(error)
      }
    }

    private func write(
      _ body: @escaping @Sendable (Database) throws -> Void
    ) async throws(TokenError) {
      do {
        try await database.write(body)
      } catch {
        throw Self.failure(error)
      }
    }

    private static func blob(_ octets: [UInt8]) -> Data { Data(octets) }

    /// A failure of SQLite; its message names no value.
    static func failure(_ error: any Error) -> TokenError {
      let found =
        (error as? DatabaseError).map { "SQLite: \($0.resultCode)" } ?? "\(type(of: error))"
      return TokenError(.signInSessionStore, found: found)
    }
  }
#endif
