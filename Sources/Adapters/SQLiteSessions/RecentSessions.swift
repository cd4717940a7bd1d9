#if Server
  import SignIn

  /// The sessions that were used last, beside the file: two generations, of which the older is dropped when the
  /// younger is full.
  struct RecentSessions {
    private var recent: [SessionID: SignedInSession] = [:]
    private var older: [SessionID: SignedInSession] = [:]
    /// Counts removals: what was read before one may not come back after it (RP-24).
    private(set) var removals: UInt64 = 0
    /// The last uses that the file could not take.
    private(set) var unwritten: [SessionID: Instant] = [:]
    /// The file's own count of what others wrote, when it was last asked for.
    private(set) var foreignWrites: Int64?
    private let generation: Int

    /// - Parameter capacity: The most sessions.
    init(capacity: Int) { generation = max(1, capacity / 2) }

    /// The session, which is recent again.
    mutating func session(_ id: SessionID) -> SignedInSession? {
      if let session = recent[id] { return session }
      guard let session = older[id] else { return nil }
      keep(session, id)
      return session
    }

    mutating func keep(_ session: SignedInSession, _ id: SessionID) {
      if recent.count >= generation {
        older = recent
        recent = [:]
      }
      recent[id] = session
    }

    /// Notes a use.
    ///
    /// - Parameter isWritten: Whether the file has it too.
    mutating func use(_ id: SessionID, at now: Instant, isWritten: Bool) {
      recent[id]?.lastUse = now
      older[id]?.lastUse = now
      unwritten[id] = isWritten ? nil : now
    }

    /// The file has these uses now; one that came later stays.
    mutating func wrote(_ uses: [SessionID: Instant]) {
      for (id, instant) in uses where unwritten[id] == instant { unwritten[id] = nil }
    }

    mutating func remove(_ id: SessionID) {
      recent[id] = nil
      older[id] = nil
      unwritten[id] = nil
      removals &+= 1
    }

    mutating func remove(where isOver: (SessionID, SignedInSession) -> Bool) {
      recent = recent.filter { !isOver($0.key, $0.value) }
      older = older.filter { !isOver($0.key, $0.value) }
      removals &+= 1
    }

    /// Forgets everything where others wrote to the file since the last time.
    mutating func note(foreignWrites count: Int64) {
      guard count != foreignWrites else { return }
      if foreignWrites != nil { forget() }
      foreignWrites = count
    }

    /// Forgets every session, so that each is read from the file again.
    mutating func forget() {
      recent = [:]
      older = [:]
      removals &+= 1
    }
  }
#endif
