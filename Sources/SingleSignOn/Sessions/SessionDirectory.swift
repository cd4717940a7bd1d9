public import Federation

/// A store of sessions that those who run the service can look through: it ends what they choose, whoever signed in.
///
/// Every session is read for it, so it serves a command and no request.
public protocol SessionDirectory: SessionStore {
  /// The sessions that are wanted, those that are over among them.
  ///
  /// - Throws: What the store throws.
  func sessions(
    where isWanted: @Sendable (SignedInSession) -> Bool
  ) async throws(TokenError) -> [SignedInSession]
  /// Removes the sessions that are wanted, and returns how many.
  ///
  /// - Throws: What the store throws; some of them may be removed then.
  func removeSessions(
    where isWanted: @Sendable (SignedInSession) -> Bool
  ) async throws(TokenError) -> Int
}

extension MemorySessionStore: SessionDirectory {
  /// The sessions that are wanted.
  public func sessions(
    where isWanted: @Sendable (SignedInSession) -> Bool
  ) async throws(TokenError) -> [SignedInSession] {
    all.filter(isWanted)
  }

  /// Removes the sessions that are wanted.
  public func removeSessions(
    where isWanted: @Sendable (SignedInSession) -> Bool
  ) async throws(TokenError) -> Int {
    removeAll(where: isWanted)
  }
}
