import RedisStores
import Synchronization

/// The commands of the stores as the documentation of Redis 7 has them, on a clock that a test moves, and stricter:
/// what a store does not need is an error.
final class SimulatedRedis: RedisCommands {
  private struct Entry {
    var value: [UInt8]?
    var members: Set<[UInt8]> = []
    var end: Int64?
  }

  /// How it misbehaves.
  enum Mood: Sendable {
    case well
    case away
    case refusing(String)
    case answering([RESPReply])
  }

  private struct State {
    var entries: [[UInt8]: Entry] = [:]
    /// Milliseconds since the epoch: 2030-01-01T12:00:00Z, as in the tests.
    var now: Int64 = 1_893_499_200_000
    var mood = Mood.well
    var info = SimulatedRedis.sound
    /// Nil where the user may not read it.
    var appendFsync: String?
    var isFull = false
  }

  /// What a server says of itself that forgets nothing.
  static let sound = [
    "memory": "maxmemory_policy:noeviction",
    "persistence": "aof_enabled:1\r\naof_last_write_status:ok", "replication": "role:master",
  ]

  private let state = Mutex(State())

  /// Has the content that another server had at that time.
  func loads(
    _ entries: [(key: [UInt8], value: [UInt8]?, members: Set<[UInt8]>, end: Int64?)], now: Int64
  ) {
    state.withLock { state in
      state.now = now
      for (key, value, members, end) in entries {
        state.entries[key] = Entry(value: value, members: members, end: end)
      }
    }
  }
  func advance(milliseconds: Int64) { state.withLock { $0.now += milliseconds } }
  func becomes(_ mood: Mood) { state.withLock { $0.mood = mood } }
  /// Says something else of itself; nil where the user may not ask.
  func says(_ info: String?, in section: String) { state.withLock { $0.info[section] = info } }
  func says(appendFsync: String?) { state.withLock { $0.appendFsync = appendFsync } }
  /// Whether every write is refused.
  func isFull(_ isFull: Bool) { state.withLock { $0.isFull = isFull } }
  /// Loses everything, as a restart without persistence does.
  func forgets() { state.withLock { $0.entries = [:] } }
  /// How many members each set has, and the keys that have no end.
  var sets: [Int] {
    state.withLock { $0.entries.values.filter { $0.value == nil }.map(\.members.count) }
  }
  var keysWithoutEnd: Int { state.withLock { $0.entries.values.count { $0.end == nil } } }
  /// Everything that is kept, as a thief of the server sees it.
  var octets: [UInt8] {
    state.withLock {
      $0.entries.flatMap { $0.key + ($0.value.value ?? []) + Array($0.value.members.joined()) }
    }
  }
  var keys: [[UInt8]] { state.withLock { Array($0.entries.keys) } }
  /// Cuts the members of every set, as an earlier release wrote them.
  func cutMembers(to count: Int) {
    state.withLock { state in
      state.entries = state.entries.mapValues { entry in
        var entry = entry
        entry.members = Set(entry.members.map { Array($0.prefix(count)) })
        return entry
      }
    }
  }
  /// Changes every value.
  func tamper(_ change: ([UInt8]) -> [UInt8]) {
    state.withLock { state in
      for key in state.entries.keys {
        if let value = state.entries[key]?.value { state.entries[key]?.value = change(value) }
      }
    }
  }

  func replies(to commands: [RESPCommand]) async throws(TokenError) -> [RESPReply] {
    // Through the wire, so that what is sent and what is read fit together.
    var replies: [UInt8] = []
    try state.withLock { state throws(TokenError) in
      switch state.mood {
      case .away: throw TokenError(.storeUnavailable)
      case .answering(let answers): replies = answers.flatMap(Self.encoded)
      case .refusing(let text):
        replies = commands.flatMap { _ in Self.encoded(.error(Array(text.utf8))) }
      case .well:
        for command in commands { replies += Self.encoded(Self.run(command.words, &state)) }
      }
    }
    var reader = RESPReader()
    return try reader.consume(replies)
  }

  private static func run(_ words: [[UInt8]], _ state: inout State) -> RESPReply {
    let name = String(decoding: words[0], as: UTF8.self)
    let texts = words.map { String(decoding: $0, as: UTF8.self) }
    let key = words.count > 1 ? words[1] : []
    if let end = state.entries[key]?.end, end <= state.now { state.entries[key] = nil }
    if state.isFull, ["SET", "SADD"].contains(name) {
      return .error(Array("OOM command not allowed when used memory > 'maxmemory'.".utf8))
    }
    switch (name, words.count) {
    case ("PING", 1): return .status(Array("PONG".utf8))
    case ("TIME", 1):
      return .list([
        .octets(Array("\(state.now / 1_000)".utf8)),
        .octets(Array("\(state.now % 1_000 * 1_000)".utf8)),
      ])
    case ("CONFIG", 3):
      guard let value = state.appendFsync else { return .error(Array("NOPERM no".utf8)) }
      return .list([.octets(words[2]), .octets(Array(value.utf8))])
    case ("INFO", 2):
      guard let text = state.info[texts[1]] else { return .error(Array("NOPERM no".utf8)) }
      return .octets(Array("# Section\r\n\(text)\r\n".utf8))
    case ("GET", 2):
      guard let entry = state.entries[key] else { return .octets(nil) }
      return entry.value.map { .octets($0) } ?? .error(Array("WRONGTYPE".utf8))
    case ("GETDEL", 2):
      guard let entry = state.entries.removeValue(forKey: key) else { return .octets(nil) }
      return entry.value.map { .octets($0) } ?? .error(Array("WRONGTYPE".utf8))
    case ("EXISTS", 2): return .integer(state.entries[key] == nil ? 0 : 1)
    case ("SET", 3...7): return set(words, texts, &state)
    case ("DEL", 2): return .integer(state.entries.removeValue(forKey: key) == nil ? 0 : 1)
    case ("SADD", 3):
      return .integer(
        state.entries[key, default: Entry()].members.insert(words[2]).inserted ? 1 : 0)
    case ("SREM", 3...):
      let count = words[2...].count { state.entries[key]?.members.remove($0) != nil }
      if state.entries[key]?.members.isEmpty == true { state.entries[key] = nil }
      return .integer(Int64(count))
    case ("SCAN", 6): return scan(texts, state)
    case ("SRANDMEMBER", 3):
      let members = (state.entries[key]?.members ?? []).prefix(Int(texts[2]) ?? 0)
      return .list(members.map { .octets($0) })
    case ("SMEMBERS", 2):
      return .list((state.entries[key]?.members ?? []).map { .octets($0) })
    case ("PEXPIRE", 3):
      guard let milliseconds = Int64(texts[2]), milliseconds > 0, state.entries[key] != nil else {
        return .integer(0)
      }
      state.entries[key]?.end = state.now + milliseconds
      return .integer(1)
    default: return .error(Array("ERR unknown command".utf8))
    }
  }

  /// Two keys at a time, and the last of them once more with the next, as the server may.
  private static func scan(_ texts: [String], _ state: State) -> RESPReply {
    guard let cursor = Int(texts[1]), texts[2] == "MATCH", texts[3].hasSuffix(":s:*"),
      texts[4] == "COUNT", Int(texts[5]) != nil
    else { return .error(Array("ERR syntax error".utf8)) }
    let beginning = texts[3].dropLast().replacing("\\", with: "")
    let names = state.entries.filter { $0.value.end.map { $0 > state.now } ?? true }.keys
      .filter { String(decoding: $0, as: UTF8.self).hasPrefix(beginning) }
      .sorted { $0.lexicographicallyPrecedes($1) }
    let next = cursor + 2 < names.count ? cursor + 2 : 0
    let part = names[max(0, min(cursor, names.count) - 1)..<min(cursor + 2, names.count)]
    return .list([
      .octets(Array("\(next)".utf8)), .list(part.map { .octets($0) }),
    ])
  }

  private static func set(
    _ words: [[UInt8]], _ texts: [String], _ state: inout State
  ) -> RESPReply {
    var options = texts[3...]
    let condition = ["NX", "XX"].contains(options.first) ? options.popFirst() : nil
    let isAsked = options.first == "GET" && options.popFirst() != nil
    var end: Int64?
    if !options.isEmpty {
      guard options.count == 2, let unit = options.popFirst(), ["PX", "PXAT"].contains(unit),
        let milliseconds = options.popFirst().flatMap({ Int64($0) }), milliseconds > 0
      else { return .error(Array("ERR syntax error".utf8)) }
      end = unit == "PX" ? state.now + milliseconds : milliseconds
    }
    if let condition, (state.entries[words[1]] == nil) != (condition == "NX") {
      return .octets(nil)
    }
    let before = state.entries[words[1]]?.value
    state.entries[words[1]] = Entry(value: words[2], end: end)
    return isAsked ? .octets(before) : .status(Array("OK".utf8))
  }

  static func encoded(_ reply: RESPReply) -> [UInt8] {
    switch reply {
    case .status(let text): Array("+".utf8) + text + [13, 10]
    case .error(let text): Array("-".utf8) + text + [13, 10]
    case .integer(let number): Array(":\(number)\r\n".utf8)
    case .octets(nil): Array("$-1\r\n".utf8)
    case .octets(let octets?): Array("$\(octets.count)\r\n".utf8) + octets + [13, 10]
    case .list(nil): Array("*-1\r\n".utf8)
    case .list(let items?): Array("*\(items.count)\r\n".utf8) + items.flatMap(encoded)
    }
  }
}
