import Octets
public import SingleSignOn

extension RedisSessionStore: SessionDirectory {
  /// The sessions that are wanted. It uses `KEYS`, for which the user of an access list needs a right, and which stops
  /// the server for some 50 ms for each 100,000 keys.
  ///
  /// - Throws: `store.*`.
  public func sessions(
    where isWanted: @Sendable (SignedInSession) -> Bool
  ) async throws(TokenError) -> [SignedInSession] {
    try await found(where: isWanted).map(\.session)
  }

  /// Removes the sessions that are wanted.
  ///
  /// - Throws: `store.*`; some of them may be removed then.
  public func removeSessions(
    where isWanted: @Sendable (SignedInSession) -> Bool
  ) async throws(TokenError) -> Int {
    let found = try await found(where: isWanted)
    for (key, _) in found { try await run([RESPCommand("DEL", [key])]) }
    return found.count
  }

  private func found(
    where isWanted: @Sendable (SignedInSession) -> Bool
  ) async throws(TokenError) -> [(key: [UInt8], session: SignedInSession)] {
    var found: [(key: [UInt8], session: SignedInSession)] = []
    let command = RESPCommand("KEYS", [keys.pattern("s")])
    guard case .list(let names?) = try await commands.reply(to: command) else {
      throw TokenError(.storeProtocol, node: "KEYS", expected: "a list")
    }
    for name in names {
      guard case .octets(let key?) = name else {
        throw TokenError(.storeProtocol, node: "KEYS", expected: "octets")
      }
      if let session = try await session(key), isWanted(session) { found.append((key, session)) }
    }
    return found
  }
}
