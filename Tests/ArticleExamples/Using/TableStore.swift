import SignIn

/// Sessions and used tokens in two tables. They are dictionaries here; each method is one statement of a
/// database.
actor TableStore: SessionStore, ReplayStore {
  /// A row: the session as octets, and the columns by which rows are found and changed.
  private struct Row {
    let session: [UInt8]
    let issuer: String
    let lookups: [EndedSessions.Lookup]
    var lastUse: Instant
  }

  private var rows: [[UInt8]: Row] = [:]
  private var used: [[UInt8]: Instant] = [:]

  // MARK: SessionStore

  func insert(_ session: SignedInSession, _ id: SessionID) throws(TokenError) {
    rows[id.digest] = Row(
      session: session.json, issuer: session.principal.issuer,
      lookups: EndedSessions.lookups(of: session.principal), lastUse: session.lastUse)
  }

  func replace(_ session: SignedInSession, _ id: SessionID) throws(TokenError) {
    if rows[id.digest] != nil { try insert(session, id) }
  }

  func session(_ id: SessionID) throws(TokenError) -> SignedInSession? {
    try rows[id.digest].map(Self.read)
  }

  func use(_ id: SessionID, at now: Instant) throws(TokenError) {
    rows[id.digest]?.lastUse = now
  }

  func remove(_ id: SessionID) throws(TokenError) { rows[id.digest] = nil }

  func remove(_ ended: EndedSessions) throws(TokenError) -> Int {
    var count = 0
    for (key, row) in rows where row.issuer == ended.issuer && row.lookups.contains(ended.lookup) {
      // The columns find candidates; the message decides.
      guard ended.contains(try Self.read(row)) else { continue }
      rows[key] = nil
      count += 1
    }
    return count
  }

  func sweep(at now: Instant, idle: Int64) throws(TokenError) {
    for (key, row) in rows where try Self.read(row).isOver(at: now, idle: idle) { rows[key] = nil }
    used = used.filter { $0.value > now }
  }

  private static func read(_ row: Row) throws(TokenError) -> SignedInSession {
    guard var session = SignedInSession(json: row.session) else {
      throw TokenError(.signInSessionStore, expected: "a session that this release wrote")
    }
    session.lastUse = row.lastUse
    return session
  }

  // MARK: ReplayStore

  /// Inserts if absent, and says whether it did: in a database, one statement under a unique key.
  func remember(
    _ identity: TokenIdentity, until end: Instant, at now: Instant
  ) throws(TokenError) -> Bool {
    if let known = used[identity.octets], known > now { return false }
    used[identity.octets] = end
    return true
  }
}
