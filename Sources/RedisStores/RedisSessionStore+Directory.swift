import Octets
public import SingleSignOn

extension RedisSessionStore: SessionDirectory {
  /// The sessions that are wanted. It uses `SCAN`, which the user of an access list may need a right for.
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
    var found: [[UInt8]: SignedInSession] = [:]
    var cursor = Array("0".utf8)
    repeat {
      let command = RESPCommand(
        "SCAN",
        [cursor, Array("MATCH".utf8), keys.pattern("s"), Array("COUNT".utf8), Array("1000".utf8)])
      guard case .list(let parts?) = try await commands.reply(to: command), parts.count == 2,
        case .octets(let next?) = parts[0], case .list(let names?) = parts[1]
      else { throw TokenError(.storeProtocol, node: "SCAN", expected: "a cursor and a list") }
      for name in names {
        guard case .octets(let key?) = name else {
          throw TokenError(.storeProtocol, node: "SCAN", expected: "octets")
        }
        if let session = try await session(key), isWanted(session) { found[key] = session }
      }
      cursor = next
    } while cursor != Array("0".utf8)
    return found.map { ($0.key, $0.value) }
  }
}
