import Instants
import TokenErrors

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
