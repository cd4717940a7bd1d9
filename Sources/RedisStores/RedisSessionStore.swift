import Octets
import SecurityKeys
public import SingleSignOn

/// The sessions of a fleet: a subject who signs in at one node is signed in at all, and signed out at all.
///
/// A session is sealed (AES-256-GCM, bound to its key), so that who reads or writes the server neither sees nor makes
/// one. The newest key seals and every key opens, so that keys are replaced without signing anybody out.
public struct RedisSessionStore: SessionStore {
  let commands: any RedisCommands
  let keys: StoreKey
  private let sealing: [SealingKey]
  private let lifetime: Int64
  private let idle: Int64

  /// A store.
  ///
  /// - Parameters:
  ///   - commands: The connection to Redis or Valkey.
  ///   - sealing: Keys of 32 octets, the current one first.
  ///   - lifetime: The most seconds that a session lasts.
  ///   - idle: Seconds after which an unused session is over.
  ///   - namespace: Begins its keys, so that several services share a server.
  /// - Throws: `signin.configuration` without a key, or for one of another length.
  public init(
    _ commands: any RedisCommands, sealing: [[UInt8]], lifetime: Int64, idle: Int64,
    namespace: String = "federation"
  ) throws(TokenError) {
    let keys = sealing.compactMap { SealingKey($0) }
    guard !keys.isEmpty, keys.count == sealing.count else {
      throw TokenError(
        .signInConfiguration, node: "sealing", expected: "keys of \(SealingKey.length) octets")
    }
    self.commands = commands
    self.keys = StoreKey(namespace)
    self.sealing = keys
    self.lifetime = lifetime
    self.idle = idle
  }

  /// Keeps a session.
  ///
  /// - Throws: `store.*`.
  public func insert(_ session: SignedInSession, _ id: SessionID) async throws(TokenError) {
    let key = key(of: id)
    var commands: [RESPCommand] = []
    // The index comes first: a session without one could not be ended by its issuer.
    for lookup in EndedSessions.lookups(of: session.principal) {
      let index = index(of: lookup, session.principal.issuer)
      commands.append(RESPCommand("SADD", [index, id.digest]))
      commands.append(RESPCommand("PEXPIRE", [index, Array("\((lifetime + 60) * 1_000)".utf8)]))
    }
    commands.append(try write(session, key, condition: "NX"))
    try await run(commands)
  }

  /// The session, ended or not; nil if there is none, or none that a key of ours sealed.
  ///
  /// - Throws: `store.*`.
  public func session(_ id: SessionID) async throws(TokenError) -> SignedInSession? {
    try await session(key(of: id))
  }

  /// Notes that the session was used. A session that is gone stays gone.
  ///
  /// - Throws: `store.*`.
  public func use(_ id: SessionID, at now: Instant) async throws(TokenError) {
    let key = key(of: id)
    guard var session = try await session(key), now < session.end else { return }
    session.lastUse = now
    // One that was removed in the meantime is not written again.
    try await run([write(session, key, condition: "XX")])
  }

  /// Removes a session.
  ///
  /// - Throws: `store.*`.
  public func remove(_ id: SessionID) async throws(TokenError) {
    try await run([RESPCommand("DEL", [key(of: id)])])
  }

  /// Removes the sessions that a logout message ends.
  ///
  /// - Throws: `store.*`; some of them may be removed then.
  public func remove(_ ended: EndedSessions) async throws(TokenError) -> Int {
    let index = index(of: ended.lookup, ended.issuer)
    guard case .list(let members?) = try await commands.reply(to: RESPCommand("SMEMBERS", [index]))
    else { throw TokenError(.storeProtocol, node: "SMEMBERS", expected: "a list") }
    var count = 0
    for member in members {
      guard case .octets(let digest?) = member else {
        throw TokenError(.storeProtocol, node: "SMEMBERS", expected: "octets")
      }
      let key = keys.key("s", of: digest)
      if let session = try await session(key) {
        guard ended.contains(session) else { continue }
        try await run([RESPCommand("DEL", [key])])
        count += 1
      }
      // It is gone, here or long ago.
      try await run([RESPCommand("SREM", [index, digest])])
    }
    return count
  }

  /// Does nothing: the server drops what is over.
  public func sweep(at now: Instant, idle: Int64) async throws(TokenError) {}

  // MARK: Keys and values

  private func key(of id: SessionID) -> [UInt8] { keys.key("s", of: id.digest) }

  private func index(of lookup: EndedSessions.Lookup, _ issuer: String) -> [UInt8] {
    // The length comes first, so that issuer and name have one reading.
    keys.key("i", of: Array("\(issuer.utf8.count):\(issuer)".utf8) + lookup.octets)
  }

  func session(_ key: [UInt8]) async throws(TokenError) -> SignedInSession? {
    guard case .octets(let sealed) = try await commands.reply(to: RESPCommand("GET", [key])) else {
      throw TokenError(.storeProtocol, node: "GET", expected: "octets or nothing")
    }
    guard let sealed else { return nil }
    for sealing in sealing {
      if let octets = sealing.open(sealed, context: key) { return SignedInSession(json: octets) }
    }
    return nil
  }

  private func write(
    _ session: SignedInSession, _ key: [UInt8], condition: String
  ) throws(TokenError) -> RESPCommand {
    guard let sealed = sealing[0].seal(session.json, context: key) else {
      throw TokenError(.signInSessionStore, found: "no random numbers")
    }
    // A use is noted once a minute.
    let left = min(session.end.milliseconds(since: session.lastUse), (idle + 120) * 1_000)
    return RESPCommand(
      "SET",
      [
        key, sealed, Array(condition.utf8), Array("PX".utf8), Array("\(max(1_000, left))".utf8),
      ])
  }

  func run(_ commands: [RESPCommand]) async throws(TokenError) {
    let replies = try await self.commands.replies(to: commands)
    guard replies.count == commands.count else {
      throw TokenError(
        .storeProtocol, expected: "\(commands.count) replies", found: "\(replies.count)")
    }
    for (reply, command) in zip(replies, commands) { _ = try reply.checked(command) }
  }
}
