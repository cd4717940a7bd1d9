#if Server
  import FoundationEssentials
  import GRDB
  import SecurityKeys
  import SignIn
  import TokenBasics

  /// The tables of the file, and how an older one becomes a newer one.
  ///
  /// Version 1 had no number: sessions by issuer alone, so that a logout read every one of them. Version 2 has what a
  /// logout message names, hashed, beside each session.
  enum SessionTable {
    /// `PRAGMA user_version` of what is written here.
    static let version = 2

    /// Makes the tables, or brings older ones up to date. In one transaction: a process that is killed leaves the
    /// older ones.
    ///
    /// - Throws: ``NewerFile`` for a file of a later release.
    static func prepare(_ database: Database) throws {
      let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
      guard found <= version else { throw NewerFile(version: found) }
      guard found < version else { return }
      if try database.tableExists("session") {
        try migrate(database)
      } else {
        try database.execute(
          sql: """
            CREATE TABLE session (
              id BLOB PRIMARY KEY, provider TEXT NOT NULL, end INTEGER NOT NULL,
              lastUse INTEGER NOT NULL, subject BLOB NOT NULL, issuerSession BLOB, name BLOB,
              content BLOB NOT NULL) WITHOUT ROWID;
            """)
      }
      try database.execute(
        sql: """
          CREATE INDEX sessionSubject ON session (subject);
          CREATE INDEX sessionIssuerSession ON session (issuerSession)
            WHERE issuerSession IS NOT NULL;
          CREATE INDEX sessionName ON session (name) WHERE name IS NOT NULL;
          CREATE INDEX sessionEnd ON session (end);
          CREATE INDEX sessionLastUse ON session (lastUse);
          CREATE TABLE IF NOT EXISTS used (
            id BLOB PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID;
          CREATE INDEX IF NOT EXISTS usedUntil ON used (until);
          PRAGMA user_version = \(version);
          """)
    }

    /// A file that a later release wrote.
    struct NewerFile: Error {
      let version: Int
    }

    private static func migrate(_ database: Database) throws {
      try database.execute(
        sql: """
          DROP INDEX IF EXISTS sessionIssuer;
          ALTER TABLE session RENAME TO session1;
          CREATE TABLE session (
            id BLOB PRIMARY KEY, provider TEXT NOT NULL, end INTEGER NOT NULL,
            lastUse INTEGER NOT NULL, subject BLOB NOT NULL, issuerSession BLOB, name BLOB,
            content BLOB NOT NULL) WITHOUT ROWID;
          """)
      let rows = try Row.fetchCursor(
        database, sql: "SELECT id, content, lastUse FROM session1")
      while let row = try rows.next() {
        let content: Data = row[1]
        // What cannot be read is no session.
        guard var session = SignedInSession(json: Array(content)) else { continue }
        session.lastUse = Instant(secondsSinceEpoch: row[2])
        try insert(session, row[0], database)
      }
      try database.execute(sql: "DROP TABLE session1")
    }

    static func insert(_ session: SignedInSession, _ id: Data, _ database: Database) throws {
      let keys = LogoutKeys(session.principal)
      try database.execute(
        sql: """
          INSERT INTO session (id, provider, end, lastUse, subject, issuerSession, name, content)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          id, session.provider, session.end.seconds, session.lastUse.seconds, keys.subject,
          keys.issuerSession, keys.name, Data(session.json),
        ])
    }
  }

  /// What a logout message finds a session by: a hash, so that every one has the same length.
  struct LogoutKeys {
    private(set) var subject = Data()
    private(set) var issuerSession: Data?
    private(set) var name: Data?

    init(_ principal: FederatedPrincipal) {
      for lookup in EndedSessions.lookups(of: principal) {
        let key = Self.key(lookup, principal.issuer)
        switch lookup {
        case .subject: subject = key
        case .session: issuerSession = key
        case .name: name = key
        }
      }
    }

    /// The column and the value by which the sessions of a message are found.
    static func place(_ ended: EndedSessions) -> (column: String, key: Data) {
      let key = key(ended.lookup, ended.issuer)
      return switch ended.lookup {
      case .subject: ("subject", key)
      case .session: ("issuerSession", key)
      case .name: ("name", key)
      }
    }

    private static func key(_ lookup: EndedSessions.Lookup, _ issuer: String) -> Data {
      let octets = PrefixedTexts.octets([issuer]) + lookup.octets
      return Data(DigestAlgorithm.sha256.digest(of: octets) ?? octets)
    }
  }
#endif
