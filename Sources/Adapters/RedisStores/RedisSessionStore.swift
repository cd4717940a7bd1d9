public import HTTPExchange
import SecurityKeys
public import SignIn
import TokenBasics

/// The sessions of a fleet: a subject who signs in at one node is signed in at all, and signed out at all.
///
/// A session is sealed (AES-256-GCM, bound to its key and the origin of the service), so that who reads or writes the
/// server neither sees nor makes one, and a session of one service is not valid at another. The newest key seals and every
/// key opens, so that keys are replaced without signing anybody out.
public struct RedisSessionStore: SessionStore {
  let commands: any RedisCommands
  let keys: StoreKey
  private let origin: String
  let sealing: [SealingKey]
  private let lifetime: Int64
  let idle: Int64
  private let observer: any ActivityObserver

  /// A store.
  ///
  /// - Parameters:
  ///   - commands: The connection to Redis or Valkey.
  ///   - origin: The public origin of the service; part of what is sealed.
  ///   - sealing: Keys of 32 octets, the current one first.
  ///   - lifetime: The most seconds that a session lasts.
  ///   - idle: Seconds after which an unused session is over.
  ///   - namespace: Begins its keys, so that several services share a server.
  ///   - observer: Hears of sessions that no key opens.
  /// - Throws: `signin.configuration` without a key, or for one of another length.
  public init(
    _ commands: any RedisCommands, origin: HTTPOrigin, sealing: [[UInt8]], lifetime: Int64,
    idle: Int64, namespace: String = "federation", observer: any ActivityObserver = NoObserver()
  ) throws(TokenError) {
    let keys = sealing.compactMap { SealingKey($0) }
    guard !keys.isEmpty, keys.count == sealing.count else {
      throw TokenError(
        .signInConfiguration, node: "sealing", expected: "keys of \(SealingKey.length) octets")
    }
    self.commands = commands
    self.origin = origin.description
    self.keys = StoreKey(namespace, service: origin.description)
    self.sealing = keys
    self.lifetime = lifetime
    self.idle = idle
    self.observer = observer
  }

  /// Keeps a session.
  ///
  /// - Throws: `store.*`.
  public func insert(_ session: SignedInSession, _ id: SessionID) async throws(TokenError) {
    let key = key(of: id)
    let indexes = EndedSessions.lookups(of: session.principal).map {
      index(of: $0, session.principal.issuer)
    }
    let (time, ended) = try await entries(of: indexes)
    let entry = SessionEntry(id.digest, at: time)
    var commands: [RESPCommand] = []
    // The index comes first: a session without one could not be ended by its issuer.
    for index in indexes {
      commands.append(RESPCommand("SADD", [index, entry.octets]))
      commands.append(RESPCommand("PEXPIRE", [index, Array("\((lifetime + 60) * 1_000)".utf8)]))
    }
    commands.append(try write(session, key, condition: "NX"))
    for (index, entries) in ended { commands.append(RESPCommand("SREM", [index] + entries)) }
    _ = try await run(commands)
  }

  /// The session, ended or not; nil if there is none, or none that a key of ours sealed.
  ///
  /// - Throws: `store.*`.
  public func session(_ id: SessionID) async throws(TokenError) -> SignedInSession? {
    try await session(key(of: id))
  }

  /// Replaces a session. One that is gone stays gone.
  ///
  /// - Throws: `store.*`.
  public func replace(_ session: SignedInSession, _ id: SessionID) async throws(TokenError) {
    try await run([write(session, key(of: id), condition: "XX")])
  }

  /// Notes that the session was used. A session that is gone stays gone.
  ///
  /// - Throws: `store.*`.
  public func use(_ id: SessionID, at now: Instant) async throws(TokenError) {
    let key = key(of: id)
    var reply = try await commands.reply(to: RESPCommand("GET", [key]))
    var expected = reply
    // One that was removed in the meantime is not written again, and one that another node replaced is put back (RP-24).
    for _ in 0..<3 {
      guard var session = try session(in: reply, key), now < session.end else { return }
      session.lastUse = now
      let command = try write(session, key, condition: "XX", "GET")
      reply = try await run([command])[0]
      guard reply != expected else { return }
      expected = .octets(command.words[2])
    }
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
      guard case .octets(let octets?) = member else {
        throw TokenError(.storeProtocol, node: "SMEMBERS", expected: "octets")
      }
      let key = keys.key("s", of: SessionEntry(octets).digest)
      let reply = try await commands.reply(to: RESPCommand("GET", [key]))
      if let session = try session(in: reply, key) {
        guard ended.contains(session) else { continue }
      }
      // One of a later release, which this one cannot read, is ended, too: nobody else may be told of the logout.
      if opened(reply, key) != nil {
        try await run([RESPCommand("DEL", [key])])
        count += 1
      }
      // It is gone, here or long ago.
      try await run([RESPCommand("SREM", [index, octets])])
    }
    return count
  }

  /// Does nothing: the server drops what is over.
  public func sweep(at now: Instant, idle: Int64) async throws(TokenError) {}

  /// Whether the sessions in the server are sealed with keys of this service: a witness says so, which the services
  /// that are checked keep alive.
  ///
  /// - Throws: `store.other-keys`, and the other codes of `store`.
  public func check() async throws(TokenError) {
    let key = keys.key("w", of: [])
    guard case .octets(let known) = try await run([RESPCommand("GET", [key])]).first else {
      throw TokenError(.storeProtocol, node: "GET", expected: "octets or nothing")
    }
    guard let known else {
      // Of two that begin at once one sees the other's next time.
      try await run([RESPCommand("SET", witness(key, condition: "NX"))])
      return
    }
    guard sealing.contains(where: { $0.open(known, context: context(key)) != nil }) else {
      throw TokenError(
        .storeOtherKeys, expected: "sessions that keys of this node open",
        found: "those of another node in the last two minutes")
    }
    try await run([RESPCommand("SET", witness(key, condition: "XX"))])
  }

  private func witness(_ key: [UInt8], condition: String) throws(TokenError) -> [[UInt8]] {
    guard let sealed = sealing[0].seal(Array("witness".utf8), context: context(key)) else {
      throw TokenError(.signInSessionStore, found: "no random numbers")
    }
    return [key, sealed, Array(condition.utf8), Array("PX".utf8), Array("120000".utf8)]
  }

  // MARK: The index

  /// The server's time, and entries of ended sessions to be taken out of the indexes: as many as 64 of each are looked
  /// at with each sign-in, so that an index has hardly more of them than of living ones.
  private func entries(
    of indexes: [[UInt8]]
  ) async throws(TokenError) -> (time: Instant, ended: [(index: [UInt8], entries: [[UInt8]])]) {
    let samples = indexes.map { RESPCommand("SRANDMEMBER", [$0, Array("64".utf8)]) }
    let replies = try await run([StoreClock.command] + samples)
    let time = try StoreClock.time(in: replies[0])
    var found: [(index: [UInt8], entry: [UInt8])] = []
    for (index, reply) in zip(indexes, replies.dropFirst()) {
      guard case .list(let members?) = reply else {
        throw TokenError(.storeProtocol, node: "SRANDMEMBER", expected: "a list")
      }
      for case .octets(let octets?) in members where SessionEntry(octets).isSettled(at: time) {
        found.append((index, octets))
      }
    }
    guard !found.isEmpty else { return (time, []) }
    let present = try await run(
      found.map { RESPCommand("EXISTS", [keys.key("s", of: SessionEntry($0.entry).digest)]) })
    var ended: [(index: [UInt8], entries: [[UInt8]])] = indexes.map { ($0, []) }
    for (reply, item) in zip(present, found) where reply == .integer(0) {
      if let place = ended.firstIndex(where: { $0.index == item.index }) {
        ended[place].entries.append(item.entry)
      }
    }
    return (time, ended.filter { !$0.entries.isEmpty })
  }

  // MARK: Keys and values

  private func key(of id: SessionID) -> [UInt8] { keys.key("s", of: id.digest) }

  private func index(of lookup: EndedSessions.Lookup, _ issuer: String) -> [UInt8] {
    keys.key("i", of: PrefixedTexts.octets([issuer]) + lookup.octets)
  }

  private func session(_ key: [UInt8]) async throws(TokenError) -> SignedInSession? {
    try session(in: try await commands.reply(to: RESPCommand("GET", [key])), key)
  }

  /// The session in the reply to `GET` of that key; nil where there is none that a key opens.
  func session(in reply: RESPReply, _ key: [UInt8]) throws(TokenError) -> SignedInSession? {
    guard case .octets(let sealed) = reply else {
      throw TokenError(.storeProtocol, node: "GET", expected: "octets or nothing")
    }
    guard sealed != nil else { return nil }
    if let octets = opened(reply, key) { return SignedInSession(json: octets) }
    // Whoever has it is signed out here and signed in at a node with other keys, which nobody else would see.
    observer.happened(
      Activity("store.session-sealed", [("code", TokenError.Code.storeOtherKeys.rawValue)]))
    return nil
  }

  /// What a key of ours sealed in the reply to `GET`; nil for nothing, and for what another key sealed.
  private func opened(_ reply: RESPReply, _ key: [UInt8]) -> [UInt8]? {
    guard case .octets(let sealed?) = reply else { return nil }
    return sealing.lazy.compactMap { $0.open(sealed, context: context(key)) }.first
  }

  /// - Parameter option: `GET` to have what was there.
  private func write(
    _ session: SignedInSession, _ key: [UInt8], condition: String, _ option: String? = nil
  ) throws(TokenError) -> RESPCommand {
    guard let sealed = sealing[0].seal(session.json, context: context(key)) else {
      throw TokenError(.signInSessionStore, found: "no random numbers")
    }
    // A use is noted once a minute.
    let left = min(session.end.milliseconds(since: session.lastUse), (idle + 120) * 1_000)
    let options = [condition] + (option.map { [$0] } ?? []) + ["PX", "\(max(1_000, left))"]
    return RESPCommand("SET", [key, sealed] + options.map { Array($0.utf8) })
  }

  private func context(_ key: [UInt8]) -> [UInt8] { PrefixedTexts.octets([origin]) + key }

  @discardableResult
  func run(_ commands: [RESPCommand]) async throws(TokenError) -> [RESPReply] {
    let replies = try await self.commands.replies(to: commands)
    guard replies.count == commands.count else {
      throw TokenError(
        .storeProtocol, expected: "\(commands.count) replies", found: "\(replies.count)")
    }
    for (reply, command) in zip(replies, commands) { _ = try reply.checked(command) }
    return replies
  }
}

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

/// A session in an index: the digest of its identifier, and since when it is there by the server's clock.
struct SessionEntry {
  /// The digest of the identifier: 32 octets.
  let digest: [UInt8]
  /// Seconds since the epoch; 0 in entries of earlier releases.
  private let since: Int64

  init(_ digest: [UInt8], at time: Instant) {
    self.digest = digest
    since = time.seconds
  }

  /// Reads what ``octets`` wrote.
  init(_ octets: [UInt8]) {
    digest = Array(octets.prefix(32))
    since = octets.dropFirst(32).prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
  }

  var octets: [UInt8] {
    digest + (0..<8).reversed().map { UInt8(truncatingIfNeeded: since >> (8 * $0)) }
  }

  /// Whether its session is there, or gone. The entry is written before the session, by far less than half a minute.
  func isSettled(at time: Instant) -> Bool { !(0...30).contains(time.seconds &- since) }
}
