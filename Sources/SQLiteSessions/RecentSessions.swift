#if Server
  import SingleSignOn

  /// The sessions that were used last, beside the file: two generations, of which the older is dropped when the
  /// younger is full.
  struct RecentSessions {
    private var young: [SessionID: SignedInSession] = [:]
    private var old: [SessionID: SignedInSession] = [:]
    /// Counts removals: what was read before one may not come back after it (RP-24).
    private(set) var removals: UInt64 = 0
    private let generation: Int

    /// - Parameter capacity: The most sessions.
    init(capacity: Int) { generation = max(1, capacity / 2) }

    /// The session, which is young again.
    mutating func session(_ id: SessionID) -> SignedInSession? {
      if let session = young[id] { return session }
      guard let session = old[id] else { return nil }
      keep(session, id)
      return session
    }

    mutating func keep(_ session: SignedInSession, _ id: SessionID) {
      if young.count >= generation {
        old = young
        young = [:]
      }
      young[id] = session
    }

    mutating func use(_ id: SessionID, at now: Instant) {
      young[id]?.lastUse = now
      old[id]?.lastUse = now
    }

    mutating func remove(_ id: SessionID) {
      young[id] = nil
      old[id] = nil
      removals &+= 1
    }

    mutating func remove(where isOver: (SessionID, SignedInSession) -> Bool) {
      young = young.filter { !isOver($0.key, $0.value) }
      old = old.filter { !isOver($0.key, $0.value) }
      removals &+= 1
    }
  }
#endif
