#if Server
  import FoundationEssentials
  import GRDB
  public import SingleSignOn

  extension SQLiteSessionStore: SessionDirectory {
    /// The sessions that are wanted.
    ///
    /// - Throws: `signin.session-store`.
    public func sessions(
      where isWanted: @Sendable (SignedInSession) -> Bool
    ) async throws(TokenError) -> [SignedInSession] {
      try await found(where: isWanted).map(\.session)
    }

    /// Removes the sessions that are wanted, one after the other, so that sign-ins go on in between.
    ///
    /// - Throws: `signin.session-store`.
    public func removeSessions(
      where isWanted: @Sendable (SignedInSession) -> Bool
    ) async throws(TokenError) -> Int {
      let found = try await found(where: isWanted)
      for (id, _) in found { try await remove(id) }
      return found.count
    }

    private func found(
      where isWanted: @Sendable (SignedInSession) -> Bool
    ) async throws(TokenError) -> [(id: SessionID, session: SignedInSession)] {
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
        guard let id = SessionID(digest: row.id), var session = SignedInSession(json: row.content)
        else { return nil }
        session.lastUse = Instant(secondsSinceEpoch: row.lastUse)
        return isWanted(session) ? (id, session) : nil
      }
    }
  }
#endif
