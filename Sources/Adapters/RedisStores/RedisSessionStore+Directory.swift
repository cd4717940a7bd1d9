import Octets
public import SignIn

extension RedisSessionStore: SessionDirectory {
  /// The sessions that are wanted, by their key. It uses `SCAN`, for which the user of an access list needs a right: a
  /// thousand keys at a time, so that the server answers others in between.
  ///
  /// - Throws: `store.*`.
  public func found(
    where isWanted: @Sendable (SignedInSession) -> Bool
  ) async throws(TokenError) -> [(name: [UInt8], session: SignedInSession)] {
    // While keys come and go, one may be named twice.
    var seen: Set<[UInt8]> = []
    var found: [(name: [UInt8], session: SignedInSession)] = []
    var cursor = Array("0".utf8)
    repeat {
      let part = try await part(from: cursor)
      cursor = part.next
      let new = part.keys.filter { seen.insert($0).inserted }
      let replies = new.isEmpty ? [] : try await run(new.map { RESPCommand("GET", [$0]) })
      for (key, reply) in zip(new, replies) {
        if let session = try session(in: reply, key), isWanted(session) {
          found.append((key, session))
        }
      }
    } while cursor != Array("0".utf8)
    return found
  }

  /// Removes the session of that key.
  ///
  /// - Throws: `store.*`.
  public func removeFound(_ name: [UInt8]) async throws(TokenError) {
    try await run([RESPCommand("DEL", [name])])
  }

  /// A part of the keys, and where the next one begins; `0` behind the last.
  private func part(
    from cursor: [UInt8]
  ) async throws(TokenError) -> (next: [UInt8], keys: [[UInt8]]) {
    let words = [cursor, Array("MATCH".utf8), keys.pattern("s"), Array("COUNT".utf8)]
    let command = RESPCommand("SCAN", words + [Array("1000".utf8)])
    guard case .list(let parts?) = try await commands.reply(to: command), parts.count == 2,
      case .octets(let next?) = parts[0], case .list(let names?) = parts[1]
    else { throw TokenError(.storeProtocol, node: "SCAN", expected: "a cursor and a list") }
    let found = names.compactMap { if case .octets(let key) = $0 { key } else { nil } }
    guard found.count == names.count, (1...20).contains(next.count),
      next.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { throw TokenError(.storeProtocol, node: "SCAN", expected: "a cursor and keys") }
    return (next, found)
  }
}
