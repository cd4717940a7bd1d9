#if Server
  import FoundationEssentials
  import GRDB
  import LocalFiles
  public import SignIn

  /// Values and used tokens in one SQLite file: they survive a restart, and `kill -9`. Several processes share a file,
  /// since nothing of it is in memory.
  public final class SQLiteValueStore: ValueStore, ReplayStore {
    private let database: DatabaseQueue
    /// Reads beside what writes, on the thread that asks: one row by its key takes less than to wake another thread.
    private let reader: DatabaseQueue

    /// Opens the file, or makes it, readable by its owner alone.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - patience: Seconds to wait for another process that has the file locked.
    /// - Throws: `signin.session-store`.
    public init(path: String, patience: Double = 5) throws(TokenError) {
      var configuration = Configuration()
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
              CREATE TABLE IF NOT EXISTS value (
                id BLOB PRIMARY KEY, until INTEGER NOT NULL, content BLOB NOT NULL) WITHOUT ROWID;
              CREATE TABLE IF NOT EXISTS used (
                id BLOB PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID;
              """)
        }
        // A locked file is an error at once: the thread would wait with it.
        var reading = Configuration()
        reading.readonly = true
        reader = try DatabaseQueue(path: path, configuration: reading)
      } catch {
        throw Self.failure(error)
      }
    }

    /// Keeps a value.
    ///
    /// - Throws: `signin.session-store`.
    public func keep(
      _ value: [UInt8], under name: ValueName, until end: Instant, at now: Instant
    ) async throws(TokenError) {
      try await write { database in
        try database.cachedStatement(
          sql: """
            INSERT INTO value (id, until, content) VALUES (?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET until = excluded.until, content = excluded.content
            """
        ).execute(arguments: [Data(name.digest), end.seconds, Data(value)])
      }
    }

    /// The value; nil for none, or one that is over.
    ///
    /// - Throws: `signin.session-store`.
    public func value(
      under name: ValueName, at now: Instant
    ) async throws(TokenError) -> [UInt8]? {
      do {
        do {
          return try read(name, now)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
          // Another process mends the file after a crash, or closes it.
          return try await database.read { try Self.value(name, now, in: $0) }
        }
      } catch {
        throw Self.failure(error)
      }
    }

    private func read(_ name: ValueName, _ now: Instant) throws -> [UInt8]? {
      // One statement is a transaction by itself.
      try reader.unsafeRead { try Self.value(name, now, in: $0) }
    }

    private static func value(
      _ name: ValueName, _ now: Instant, in database: Database
    ) throws -> [UInt8]? {
      let statement = try database.cachedStatement(
        sql: "SELECT content FROM value WHERE id = ? AND until > ?")
      return try Data.fetchOne(statement, arguments: [Data(name.digest), now.seconds])
        .map { Array($0) }
    }

    /// Removes a value and returns it; nil for none, or one that is over.
    ///
    /// - Throws: `signin.session-store`.
    public func take(_ name: ValueName, at now: Instant) async throws(TokenError) -> [UInt8]? {
      do {
        return try await database.write { database in
          let row = try Row.fetchOne(
            database, sql: "DELETE FROM value WHERE id = ? RETURNING content, until",
            arguments: [Data(name.digest)])
          guard let row, now.seconds < row[1] else { return nil }
          let content: Data = row[0]
          return Array(content)
        }
      } catch {
        throw Self.failure(error)
      }
    }

    /// Removes a value.
    ///
    /// - Throws: `signin.session-store`.
    public func remove(_ name: ValueName) async throws(TokenError) {
      try await write { database in
        try database.execute(
          sql: "DELETE FROM value WHERE id = ?", arguments: [Data(name.digest)])
      }
    }

    /// Drops what is over.
    ///
    /// - Throws: `signin.session-store`.
    public func sweep(at now: Instant) async throws(TokenError) {
      try await write { database in
        try database.execute(sql: "DELETE FROM value WHERE until <= ?", arguments: [now.seconds])
        try database.execute(sql: "DELETE FROM used WHERE until <= ?", arguments: [now.seconds])
      }
    }

    /// Remembers a token; of two calls at once, in one process or two, one gets true: the primary key is unique.
    ///
    /// - Throws: `signin.session-store`.
    public func remember(
      _ identity: TokenIdentity, until end: Instant, at now: Instant
    ) async throws(TokenError) -> Bool {
      do {
        return try await database.write { database in
          try UsedTokens.remember(identity, until: end, at: now, in: database)
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

    /// A failure of SQLite; its message names no value.
    private static func failure(_ error: any Error) -> TokenError {
      let failure = SQLiteFailure(error)
      guard failure.mayPass else { return TokenError(.signInSessionStore, found: failure.text) }
      return TokenError(.signInSessionStore, found: failure.text, .passing)
    }
  }

  /// The table of tokens and requests that were used, in either file.
  enum UsedTokens {
    /// Whether the token is the first: the primary key is unique, so of two calls at once one gets true.
    static func remember(
      _ identity: TokenIdentity, until end: Instant, at now: Instant, in database: Database
    ) throws -> Bool {
      try database.cachedStatement(
        sql: """
          INSERT INTO used (id, until) VALUES (?, ?)
          ON CONFLICT (id) DO UPDATE SET until = excluded.until WHERE used.until <= ?
          """
      ).execute(arguments: [Data(identity.octets), end.seconds + 1, now.seconds])
      return database.changesCount == 1
    }
  }
#endif
