public import Claims
public import TokenBasics

/// Used tokens of a fleet: whichever node a token is used at first, every other node refuses it.
///
/// A use is one step at the server (`SET` with `NX`), so of any number of racers one wins. The server remembers it until
/// an instant of its own clock: the end of the token, and ``slack`` seconds more. With every use it is asked whether it
/// may forget (`StoreReport`), and since when it remembers.
public struct RedisReplayStore: ReplayStore {
  /// Seconds after the end of a token until it is forgotten: 600 for the largest skew with which a node accepts it, and
  /// 600 by which the clock of a node may be behind the server's.
  public static let slack: Int64 = 2 * clockDifference
  private static let clockDifference: Int64 = 600

  private let commands: any RedisCommands
  private let keys: StoreKey
  private let mayForget: Bool

  /// A store.
  ///
  /// - Parameters:
  ///   - commands: The connection to Redis or Valkey.
  ///   - namespace: Begins its keys, so that several services share a server.
  ///   - mayForget: Whether tokens are accepted though the server may forget their use, or does not say.
  public init(
    _ commands: any RedisCommands, namespace: String = "federation", mayForget: Bool = false
  ) {
    self.commands = commands
    self.mayForget = mayForget
    keys = StoreKey(namespace)
  }

  /// Remembers a token until `end` and ``slack``. Returns whether it was new. How old it is is not asked.
  ///
  /// - Throws: `store.*`; the token must not be accepted then.
  public func remember(
    _ identity: TokenIdentity, until end: Instant, at now: Instant
  ) async throws(TokenError) -> Bool {
    try await remember(identity, nil, until: end, at: now)
  }

  /// Remembers a use until its end and ``slack``. Returns whether it was the first.
  ///
  /// What does not say when it was issued counts as issued an hour before its end.
  ///
  /// - Throws: `store.*`; `replay.older-than-store` for what came into being before the store. It must not be accepted
  ///   then.
  public func remember(_ use: TokenUse, at now: Instant) async throws(TokenError) -> Bool {
    let origin: TokenUse.Origin =
      use.origin == .issued(nil) ? .issued(use.end.advanced(bySeconds: -3_600)) : use.origin
    return try await remember(use.identity, origin, until: use.end, at: now)
  }

  private func remember(
    _ identity: TokenIdentity, _ origin: TokenUse.Origin?, until end: Instant, at now: Instant
  ) async throws(TokenError) -> Bool {
    let key = keys.key("u", of: identity.octets)
    let end = StoreClock.milliseconds(end.advanced(bySeconds: Self.slack))
    // On one connection, in this order: what the server says is said of the very server that remembers.
    let words = [key, [0x31], Array("NX".utf8), Array("PXAT".utf8), Array("\(end)".utf8)]
    let asked = StoreReport.commands + [StoreClock.command, birth.get, RESPCommand("SET", words)]
    let replies = try await commands.replies(to: asked)
    guard replies.count == asked.count, let last = replies.last else {
      throw TokenError(
        .storeProtocol, expected: "\(asked.count) replies", found: "\(replies.count)")
    }
    switch try last.checked(RESPCommand("SET")) {
    case .status(let text) where text == Array("OK".utf8): break
    case .octets(nil): return false
    default: throw TokenError(.storeProtocol, node: "SET", expected: "OK or nothing")
    }
    do throws(TokenError) {
      if let problem = StoreReport(replies.prefix(3)).problem, !mayForget { throw problem }
      let time = try StoreClock.time(in: replies[3])
      try check(now, time, end)
      let born = try await birth.read(replies[4], at: time)
      if let origin { try check(origin, now, time, born) }
    } catch {
      // It was not accepted: where that passes, it can be tried again. Others saw it as used meanwhile.
      _ = try? await commands.replies(to: [RESPCommand("DEL", [key])])
      throw error
    }
    return true
  }

  private var birth: StoreBirth { StoreBirth(commands, keys) }

  /// A node that is further behind would accept a token that the server has forgotten.
  private func check(_ now: Instant, _ time: Instant, _ end: Int64) throws(TokenError) {
    let behind = time.milliseconds(since: now)
    guard behind <= Self.clockDifference * 1_000, StoreClock.milliseconds(time) < end else {
      throw TokenError(
        .storeClock, expected: "at most \(Self.clockDifference) s behind",
        found: "\(behind / 1_000) s")
    }
  }

  private func check(
    _ origin: TokenUse.Origin, _ now: Instant, _ time: Instant, _ born: Instant
  ) throws(TokenError) {
    let came: Instant
    switch origin {
    // By the server's clock: a sign-in of a node whose clock is fast is as old as it is.
    case .begun(let begun): came = time.advanced(bySeconds: min(0, begun.seconds - now.seconds))
    case .issued(let issued): came = issued ?? now
    }
    guard came.seconds >= born.seconds else {
      throw TokenError(
        .replayOlderThanStore, expected: "\(born.rfc3339) or later", found: came.rfc3339)
    }
  }

  // MARK: Health

  /// Whether the server answers, writes, and keeps what it is told to keep. At a server without a birth it makes one,
  /// and waits for it: a second at most.
  ///
  /// - Returns: What the server says of itself.
  /// - Throws: `store.*`; `store.forgets` and `store.unknown` unless the store may forget.
  @discardableResult
  public func check(at now: Instant) async throws(TokenError) -> StoreReport {
    let probe = [keys.key("h", of: []), [0x31], Array("PX".utf8), Array("60000".utf8)]
    let asked =
      StoreReport.commands + [
        RESPCommand("CONFIG", "GET", "appendfsync"), StoreClock.command, birth.get,
        RESPCommand("SET", probe),
      ]
    let replies = try await commands.replies(to: asked)
    guard replies.count == asked.count, let last = replies.last else {
      throw TokenError(
        .storeProtocol, expected: "\(asked.count) replies", found: "\(replies.count)")
    }
    var report = StoreReport(replies.prefix(3))
    if case .list(let pair?) = replies[3], pair.count == 2, case .octets(let value?) = pair[1] {
      report.appendFsync = String(decoding: value, as: UTF8.self)
    }
    // What the server says of itself explains why it does not write.
    if let problem = report.problem, !mayForget { throw problem }
    _ = try last.checked(RESPCommand("SET"))
    let time = try StoreClock.time(in: replies[4])
    try check(now, time, .max)
    let born = try await birth.read(replies[5], at: time)
    let wait = born.milliseconds(since: time)
    if wait > 0 { try? await Task.sleep(for: .milliseconds(min(wait, 1_000))) }
    return report
  }
}

/// Since when a store remembers: a key without an end, with whole seconds of the server's clock.
///
/// A server that lost what it knew lost this too, and gets another. The birth is the next full second, because tokens
/// say whole seconds.
struct StoreBirth: Sendable {
  private let commands: any RedisCommands
  private let key: [UInt8]

  init(_ commands: any RedisCommands, _ keys: StoreKey) {
    self.commands = commands
    key = keys.key("b", of: [])
  }

  var get: RESPCommand { RESPCommand("GET", [key]) }

  /// The birth in the reply to ``get``, or, where there is none, the one that is made now.
  ///
  /// - Throws: `store.*`.
  func read(_ reply: RESPReply, at time: Instant) async throws(TokenError) -> Instant {
    let known = try reply.checked(get)
    if let born = Self.instant(known), born <= time.advanced(bySeconds: 1) { return born }
    // One in the future is of a clock that was set back since: to be born now refuses more, never less.
    let born = time.nanoseconds == 0 ? time.seconds : time.seconds + 1
    let isNew = known == .octets(nil)
    let words = [key, Array("\(born)".utf8)] + (isNew ? [Array("NX".utf8)] : [])
    let replies = try await commands.replies(to: [RESPCommand("SET", words), get])
    guard replies.count == 2 else {
      throw TokenError(.storeProtocol, expected: "2 replies", found: "\(replies.count)")
    }
    _ = try replies[0].checked(RESPCommand("SET"))
    guard let now = Self.instant(try replies[1].checked(get)) else {
      throw TokenError(.storeProtocol, node: "GET", expected: "the store's birth")
    }
    return now
  }

  private static func instant(_ reply: RESPReply) -> Instant? {
    StoreClock.number(reply).map { Instant(secondsSinceEpoch: $0) }
  }
}
