#if Server
  import FoundationEssentials
  import GRDB
  import LocalFiles
  public import SignIn
  import Synchronization

  extension SQLiteSessionStore {
    /// Whether the file could be opened, without opening it for writing or making it.
    ///
    /// - Precondition: This process has no store open at `path`. The file is read without SQLite, and closing it would end
    ///   every POSIX lock that SQLite holds on it for this process: another process that closes the file could then remove
    ///   its write-ahead log.
    /// - Parameter path: The path of the file.
    /// - Throws: `signin.session-store`, `signin.session-store-version`.
    public static func check(path: String) throws(TokenError) {
      guard FileIdentity(path: path) != nil else {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        guard FileIdentity(path: folder) != nil else {
          throw TokenError(
            .signInSessionStore, node: path, expected: "a folder that exists", found: "none")
        }
        return
      }
      var header: [UInt8] = []
      do throws(FileFailure) {
        let file = try OpenFile(reading: path)
        while header.count < 100, try file.read(100 - header.count, into: &header) > 0 {}
      } catch {
        throw error.error(.signInSessionStore, path, expected: "a file that can be read")
      }
      // The format of SQLite's files, 1.3: an empty one is a database too.
      guard header.isEmpty || header.starts(with: "SQLite format 3\0".utf8),
        header.isEmpty || header.count == 100
      else {
        throw TokenError(
          .signInSessionStore, node: path, expected: "a database of SQLite",
          found: "something else")
      }
      let version = header.isEmpty ? 0 : header[60..<64].reduce(0) { $0 << 8 | Int($1) }
      guard version <= SessionTable.version else {
        throw TokenError(
          .signInSessionStoreVersion, node: path, expected: "version \(SessionTable.version)",
          found: "version \(version)")
      }
    }

    /// The lock of a file's owner, which ends with its last use, also when the process is killed.
    static func lock(
      _ path: String, _ patience: Duration
    ) throws(TokenError) -> OpenFile {
      do throws(FileFailure) {
        if let lock = try OpenFile(locking: path + ".lock", for: patience) { return lock }
      } catch {
        throw error.error(.signInSessionStore, path + ".lock", expected: "a file to lock")
      }
      throw TokenError(
        .signInSessionStoreOwned, node: path, expected: "a file of this process alone",
        found: "another process has it")
    }
  }

  extension SQLiteSessionStore: SessionDirectory {
    /// The sessions that are wanted, by the digest of their identifier.
    ///
    /// - Throws: `signin.session-store`.
    public func found(
      where isWanted: @Sendable (SignedInSession) -> Bool
    ) async throws(TokenError) -> [(name: [UInt8], session: SignedInSession)] {
      let rows: [(id: [UInt8], content: [UInt8], lastUse: Int64)]
      do {
        rows = try await database.read { database in
          try Row.fetchAll(database, sql: "SELECT id, content, lastUse FROM session").map { row in
            let (id, content): (Data, Data) = (row[0], row[1])
            return (Array(id), Array(content), row[2])
          }
        }
      } catch {
        throw Self.failure(error, path)
      }
      return rows.compactMap { row in
        guard var session = SignedInSession(json: row.content) else { return nil }
        session.lastUse = Instant(secondsSinceEpoch: row.lastUse)
        return isWanted(session) ? (row.id, session) : nil
      }
    }

    /// Removes the session with that digest.
    ///
    /// - Throws: `signin.session-store`.
    public func removeFound(_ name: [UInt8]) async throws(TokenError) {
      if let id = SessionID(digest: name) { try await remove(id) }
    }
  }

  extension SQLiteSessionStore {
    /// A count of what others than this connection wrote.
    static func foreignWrites(_ database: Database) throws -> Int64 {
      try Int64.fetchOne(database, sql: "PRAGMA data_version") ?? 0
    }

    static func blob(_ octets: [UInt8]) -> Data { Data(octets) }

    /// A failure of SQLite; its message names no value.
    static func failure(_ error: any Error, _ path: String) -> TokenError {
      let failure = SQLiteFailure(error)
      guard failure.mayPass else {
        return TokenError(.signInSessionStore, node: path, found: failure.text)
      }
      return TokenError(.signInSessionStore, node: path, found: failure.text, .passing)
    }

    /// Replaces a session. One that is gone stays gone.
    ///
    /// - Throws: `signin.session-store`.
    public func replace(_ session: SignedInSession, _ id: SessionID) async throws(TokenError) {
      let content = Data(session.json)
      do {
        try await writing { database in
          try database.execute(
            sql: "UPDATE session SET content = ?, lastUse = max(lastUse, ?) WHERE id = ?",
            arguments: [content, session.lastUse.seconds, Self.blob(id.digest)])
        }
      } catch {
        throw Self.failure(error, path)
      }
      guard let owned, let session = SignedInSession(json: Array(content)) else { return }
      owned.recent.sessions.withLock { recent in
        if recent.session(id) != nil { recent.keep(session, id) }
      }
    }
  }
#endif
