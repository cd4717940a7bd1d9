public import Federation

/// A store of sessions that those who run the service can look through: it ends what they choose, whoever signed in.
///
/// Every session is read for it, so it serves a command and no request.
public protocol SessionDirectory: SessionStore {
  /// The sessions that are wanted, those that are over among them, each with the name under which the store has it.
  ///
  /// - Throws: What the store throws.
  func found(
    where isWanted: @Sendable (SignedInSession) -> Bool
  ) async throws(TokenError) -> [(name: [UInt8], session: SignedInSession)]
  /// Removes what the store has under that name.
  ///
  /// - Throws: What the store throws.
  func removeFound(_ name: [UInt8]) async throws(TokenError)
}

extension SessionDirectory {
  /// The sessions that are wanted, those that are over among them.
  ///
  /// - Throws: What the store throws.
  public func sessions(
    where isWanted: @Sendable (SignedInSession) -> Bool
  ) async throws(TokenError) -> [SignedInSession] {
    try await found(where: isWanted).map(\.session)
  }

  /// Removes the sessions that are wanted, one after the other, so that sign-ins go on in between. Returns how many.
  ///
  /// - Throws: What the store throws; some of them may be removed then.
  public func removeSessions(
    where isWanted: @Sendable (SignedInSession) -> Bool
  ) async throws(TokenError) -> Int {
    let found = try await found(where: isWanted)
    for (name, _) in found { try await removeFound(name) }
    return found.count
  }
}

extension MemorySessionStore: SessionDirectory {
  /// The sessions that are wanted, by the digest of their identifier.
  public func found(
    where isWanted: @Sendable (SignedInSession) -> Bool
  ) async throws(TokenError) -> [(name: [UInt8], session: SignedInSession)] {
    all.filter { isWanted($0.session) }
  }

  /// Removes the session with that digest.
  public func removeFound(_ name: [UInt8]) async throws(TokenError) {
    if let id = SessionID(digest: name) { try await remove(id) }
  }
}
