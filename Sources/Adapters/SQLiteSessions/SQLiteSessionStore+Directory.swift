#if Server
  import FoundationEssentials
  import GRDB
  public import SignIn

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
#endif
