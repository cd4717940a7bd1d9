public import Federation

/// Keeps the sessions of a service.
///
/// A store that cannot answer throws, which is no answer of "not signed in": the service then says that it is
/// unavailable (GATE-8).
public protocol SessionStore: Sendable {
  /// Keeps a session.
  func insert(_ session: SignedInSession, _ id: SessionID) async throws(TokenError)
  /// The session, ended or not; nil if there is none.
  func session(_ id: SessionID) async throws(TokenError) -> SignedInSession?
  /// Notes that the session was used. A session that is gone stays gone.
  func use(_ id: SessionID, at now: Instant) async throws(TokenError)
  /// Removes a session, if it is there.
  func remove(_ id: SessionID) async throws(TokenError)
  /// Removes the sessions that a logout message ends, and returns how many.
  func remove(_ ended: EndedSessions) async throws(TokenError) -> Int
  /// Removes the sessions that are over.
  func sweep(at now: Instant, idle: Int64) async throws(TokenError)
}
