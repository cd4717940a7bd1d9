public import Federation
package import TokenBasics

/// Keeps the sessions of a service.
///
/// A store that cannot answer throws, which is no answer of "not signed in": the service then says that it is
/// unavailable (GATE-8).
public protocol SessionStore: Sendable {
  /// Keeps a session.
  func insert(_ session: SignedInSession, _ id: SessionID) async throws(TokenError)
  /// The session, ended or not; nil if there is none.
  func session(_ id: SessionID) async throws(TokenError) -> SignedInSession?
  /// Replaces a session by one of the same subject, whose claims were read anew. A session that is gone stays gone.
  func replace(_ session: SignedInSession, _ id: SessionID) async throws(TokenError)
  /// Notes that the session was used. A session that is gone stays gone.
  func use(_ id: SessionID, at now: Instant) async throws(TokenError)
  /// Removes a session, if it is there.
  func remove(_ id: SessionID) async throws(TokenError)
  /// Removes the sessions that a logout message ends, and returns how many.
  func remove(_ ended: EndedSessions) async throws(TokenError) -> Int
  /// Removes the sessions that are over.
  func sweep(at now: Instant, idle: Int64) async throws(TokenError)
}

extension SessionStore {
  /// Keeps a session whose identifier no browser gets, reads it and removes it: whether a person could sign in right now. A store
  /// that is full or may only be read answers every question and keeps nothing.
  ///
  /// - Throws: Errors of the store; `signin.session-store` where it does not give back what it was given.
  package func probe(at now: Instant) async throws(TokenError) {
    let id = SessionID.make().id
    let session = SignedInSession(
      principal: FederatedPrincipal(
        issuer: "urn:claims-gate:health", subject: "health", claims: ClaimSet(), format: .saml20,
        issuerSession: IssuerSession(), warnings: []),
      provider: "", begun: now, end: now.advanced(bySeconds: 60), lastUse: now)
    try await insert(session, id)
    guard try await self.session(id) != nil else {
      throw TokenError(
        .signInSessionStore, expected: "the session that was just kept", found: "none")
    }
    try await remove(id)
  }
}

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
