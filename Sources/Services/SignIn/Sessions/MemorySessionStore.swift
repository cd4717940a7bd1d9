public import Federation
import Synchronization

/// The sessions of one process, which end with it.
public final class MemorySessionStore: SessionStore {
  private let sessions = Mutex<[SessionID: SignedInSession]>([:])
  private let capacity: Int

  /// - Parameter capacity: The most sessions; a further one is refused (`signin.sessions-full`), since a
  ///   session that is dropped signs somebody out.
  public init(capacity: Int = 1_000_000) { self.capacity = capacity }

  /// How many sessions there are.
  public var count: Int { sessions.withLock { $0.count } }

  /// Keeps a session.
  ///
  /// - Throws: `signin.sessions-full`.
  public func insert(_ session: SignedInSession, _ id: SessionID) async throws(TokenError) {
    let isKept = sessions.withLock { sessions in
      guard sessions.count < capacity else { return false }
      sessions[id] = session
      return true
    }
    guard isKept else {
      throw TokenError(.signInSessionsFull, expected: "fewer than \(capacity) sessions")
    }
  }

  /// The session; nil if there is none.
  public func session(_ id: SessionID) async throws(TokenError) -> SignedInSession? {
    sessions.withLock { $0[id] }
  }

  /// Replaces a session that is there.
  public func replace(_ session: SignedInSession, _ id: SessionID) async throws(TokenError) {
    sessions.withLock { sessions in
      if sessions[id] != nil { sessions[id] = session }
    }
  }

  /// Notes that the session was used.
  public func use(_ id: SessionID, at now: Instant) async throws(TokenError) {
    sessions.withLock { $0[id]?.lastUse = now }
  }

  /// Removes a session.
  public func remove(_ id: SessionID) async throws(TokenError) {
    sessions.withLock { $0[id] = nil }
  }

  /// Removes the sessions that a logout message ends.
  public func remove(_ ended: EndedSessions) async throws(TokenError) -> Int {
    sessions.withLock { sessions in
      let before = sessions.count
      sessions = sessions.filter { !ended.contains($0.value) }
      return before - sessions.count
    }
  }

  /// Every session.
  var all: [(name: [UInt8], session: SignedInSession)] {
    sessions.withLock { $0.map { ($0.key.digest, $0.value) } }
  }

  /// Removes the sessions that are over.
  public func sweep(at now: Instant, idle: Int64) async throws(TokenError) {
    sessions.withLock { sessions in
      sessions = sessions.filter { !$0.value.isOver(at: now, idle: idle) }
    }
  }
}
