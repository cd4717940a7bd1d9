import Instants
import TokenErrors

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
