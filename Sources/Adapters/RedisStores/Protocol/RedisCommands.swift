import SecurityKeys
public import TokenBasics

/// Sends commands to Redis or Valkey: the connections of this package, or those of any other client.
///
/// The stores use `SET` with `NX`, `XX`, `GET`, `PX` and `PXAT` (Redis 6.2), `GET`, `GETDEL`, `EXISTS`, `DEL`, `SADD`, `SREM`, `SMEMBERS`,
/// `SRANDMEMBER` and `PEXPIRE`, each on one key, and `PING`, `TIME`, `INFO` and, where it is allowed, `CONFIG GET`;
/// `KEYS` for who looks through the sessions.
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
  /// - Throws: as ``replies(to:)``; `store.refused`, `store.forgets`, `store.unknown`.
  public func check() async throws(TokenError) {
    let ping = RESPCommand("PING")
    guard try await reply(to: ping) == .status(Array("PONG".utf8)) else {
      throw TokenError(.storeProtocol, node: ping.description, expected: "PONG")
    }
    if let problem = try await report().problem { throw problem }
  }

  /// What the server says of itself.
  ///
  /// - Throws: as ``replies(to:)``. What it refuses to say is in the report.
  public func report() async throws(TokenError) -> StoreReport {
    StoreReport(try await replies(to: StoreReport.commands))
  }
}

extension RESPReply {
  /// The reply, unless it is an error.
  ///
  /// - Throws: `store.refused`.
  package func checked(_ command: RESPCommand) throws(TokenError) -> Self {
    guard case .error(let text) = self else { return self }
    throw TokenError(
      .storeRefused, node: command.description,
      found: TokenError.excerpt(Self.kind(ofError: text)))
  }

  /// The first word of an error. The rest of the text may repeat an argument.
  static func kind(ofError text: [UInt8]) -> String {
    String(decoding: text.prefix { (0x41...0x5A).contains($0) }.prefix(32), as: UTF8.self)
  }

  /// Whether the server says by this error that it is the wrong one to ask now: demoted, loading, full, or one that
  /// no longer knows us. Behind the same address another one may answer.
  package var namesAnotherServer: Bool {
    guard case .error(let text) = self else { return false }
    return Self.passing.contains(Self.kind(ofError: text))
  }

  private static let passing: Set<String> = [
    "READONLY", "LOADING", "MASTERDOWN", "NOAUTH", "OOM", "MISCONF", "NOREPLICAS", "CLUSTERDOWN",
  ]
}

/// The clock of the server (`TIME`): by it keys end.
enum StoreClock {
  static let command = RESPCommand("TIME")

  /// The instant in the reply to ``command``: seconds and microseconds.
  ///
  /// - Throws: `store.refused`, `store.protocol`.
  static func time(in reply: RESPReply) throws(TokenError) -> Instant {
    guard case .list(let parts?) = try reply.checked(command), parts.count == 2,
      let seconds = number(parts[0]), let microseconds = number(parts[1]),
      (0..<1_000_000).contains(microseconds)
    else { throw TokenError(.storeProtocol, node: "TIME", expected: "seconds and microseconds") }
    return Instant(secondsSinceEpoch: seconds, nanoseconds: Int32(microseconds * 1_000))
  }

  /// Milliseconds since the epoch, at least one.
  static func milliseconds(_ instant: Instant) -> Int64 {
    max(1, instant.milliseconds(since: Instant(secondsSinceEpoch: 0)))
  }

  static func number(_ reply: RESPReply) -> Int64? {
    guard case .octets(let octets?) = reply, octets.count <= 19 else { return nil }
    return Int64(String(decoding: octets, as: UTF8.self))
  }
}

/// The keys of a namespace: each has the same length, and none shows what it stands for.
struct StoreKey: Sendable {
  private let namespace: [UInt8]
  /// The service whose keys they are, with its length before it, so that service and octets have one reading.
  private let service: [UInt8]

  /// - Parameters:
  ///   - namespace: What the keys begin with.
  ///   - service: Parts the keys of services that share a namespace; empty for keys that they share.
  init(_ namespace: String, service: String = "") {
    self.namespace = Array(namespace.utf8)
    self.service = service.isEmpty ? [] : PrefixedTexts.octets([service])
  }

  /// The pattern of all keys of a kind, as `SCAN` takes it: characters of the namespace stand for themselves.
  func pattern(_ kind: StaticString) -> [UInt8] {
    namespace.flatMap { "*?[]\\^-".utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
      + Array(":\(kind):*".utf8)
  }

  /// - Parameters:
  ///   - kind: One letter for what the key holds.
  ///   - octets: What it stands for, hashed here.
  func key(_ kind: StaticString, of octets: [UInt8]) -> [UInt8] {
    let text = service + octets
    let digest = DigestAlgorithm.sha256.digest(of: text) ?? text
    return namespace + Array(":\(kind):".utf8) + Array(Base64.encode(digest, .url).utf8)
  }
}
