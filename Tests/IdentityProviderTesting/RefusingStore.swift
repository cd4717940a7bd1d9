public import SignIn
public import Synchronization

/// Keeps sessions, and refuses every write while it is told to.
public final class RefusingStore: SessionStore {
  /// Whether writes are refused.
  public let refuses = Mutex(false)
  /// How often a use came.
  public let asked = Mutex(0)
  private let kept = MemorySessionStore()

  public init() {}

  public func insert(_ session: SignedInSession, _ id: SessionID) async throws(TokenError) {
    try check()
    try await kept.insert(session, id)
  }

  public func replace(_ session: SignedInSession, _ id: SessionID) async throws(TokenError) {
    try check()
    try await kept.replace(session, id)
  }

  public func session(_ id: SessionID) async throws(TokenError) -> SignedInSession? {
    try await kept.session(id)
  }

  public func use(_ id: SessionID, at now: Instant) async throws(TokenError) {
    asked.withLock { $0 += 1 }
    try check()
    try await kept.use(id, at: now)
  }

  public func remove(_ id: SessionID) async throws(TokenError) {
    try check()
    try await kept.remove(id)
  }

  public func remove(_ ended: EndedSessions) async throws(TokenError) -> Int {
    try check()
    return try await kept.remove(ended)
  }

  public func sweep(at now: Instant, idle: Int64) async throws(TokenError) {
    try check()
    try await kept.sweep(at: now, idle: idle)
  }

  private func check() throws(TokenError) {
    if refuses.withLock({ $0 }) { throw TokenError(.signInSessionStore) }
  }
}
