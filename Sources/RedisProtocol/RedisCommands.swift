public import TokenErrors

/// Sends commands to Redis or Valkey: the connections of this package, or those of any other client.
///
/// The stores use `SET` with `NX`, `XX` and `PX`, `GET`, `DEL`, `SADD`, `SREM`, `SMEMBERS`, `PEXPIRE`, `PING` and
/// `INFO memory`, each on one key; `SCAN` for who looks through the sessions.
public protocol RedisCommands: Sendable {
  /// The replies to commands, in their order; what one of them was refused with is a reply too.
  ///
  /// - Throws: `store.unavailable`, `store.timeout`, `store.protocol`: whether the commands were run is not known.
  func replies(to commands: [RESPCommand]) async throws(TokenError) -> [RESPReply]
}

extension RedisCommands {
  /// The reply to one command.
  ///
  /// - Throws: as ``replies(to:)``; `store.refused` for an error.
  package func reply(to command: RESPCommand) async throws(TokenError) -> RESPReply {
    guard let reply = try await replies(to: [command]).first else {
      throw TokenError(.storeProtocol, expected: "a reply", found: "none")
    }
    return try reply.checked(command)
  }

  /// Whether the store answers, and keeps what it is told to keep.
  ///
  /// A user that may not ask for `INFO memory` is not asked for it.
  ///
  /// - Throws: as ``replies(to:)``; `store.refused`, `store.evicts`.
  public func check() async throws(TokenError) {
    let ping = RESPCommand("PING")
    guard try await reply(to: ping) == .status(Array("PONG".utf8)) else {
      throw TokenError(.storeProtocol, node: ping.description, expected: "PONG")
    }
    guard case .octets(let info?) = try await replies(to: [RESPCommand("INFO", "memory")]).first
    else { return }
    let name = "maxmemory_policy:"
    for line in String(decoding: info, as: UTF8.self).split(whereSeparator: \.isNewline)
    where line.hasPrefix(name) && line != "maxmemory_policy:noeviction" {
      throw TokenError(
        .storeEvicts, node: "maxmemory-policy", expected: "noeviction",
        found: TokenError.excerpt(String(line.dropFirst(name.count))))
    }
  }
}

extension RESPReply {
  /// The reply, unless it is an error.
  ///
  /// - Throws: `store.refused`.
  package func checked(_ command: RESPCommand) throws(TokenError) -> Self {
    guard case .error(let text) = self else { return self }
    // The rest of the text may repeat an argument.
    let word = text.prefix { (0x41...0x5A).contains($0) }
    throw TokenError(
      .storeRefused, node: command.description,
      found: TokenError.excerpt(String(decoding: word, as: UTF8.self)))
  }
}
