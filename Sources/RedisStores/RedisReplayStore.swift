public import Claims
public import Instants
public import TokenErrors

/// Used tokens of a fleet: whichever node a token is used at first, every other node refuses it.
///
/// A use is one step at the server (`SET` with `NX` and `PX`), so of any number of racers one wins. The server forgets
/// it by its own clock, after as many milliseconds as the token is still good for by the node's.
public struct RedisReplayStore: ReplayStore {
  private let commands: any RedisCommands
  private let keys: StoreKey

  /// A store.
  ///
  /// - Parameters:
  ///   - commands: The connection to Redis or Valkey.
  ///   - namespace: Begins its keys, so that several services share a server.
  public init(_ commands: any RedisCommands, namespace: String = "federation") {
    self.commands = commands
    keys = StoreKey(namespace)
  }

  /// Remembers a token until `end`. Returns whether it was new.
  ///
  /// - Throws: `store.*`; the token must not be accepted then.
  public func remember(
    _ identity: TokenIdentity, until end: Instant, at now: Instant
  ) async throws(TokenError) -> Bool {
    // Not less than a second, or two nodes whose clocks differ could both see it as new.
    let milliseconds = max(1_000, end.milliseconds(since: now))
    let command = RESPCommand(
      "SET",
      [
        keys.key("u", of: identity.octets), [0x31], Array("NX".utf8), Array("PX".utf8),
        Array("\(milliseconds)".utf8),
      ])
    switch try await commands.reply(to: command) {
    case .status(let text) where text == Array("OK".utf8): return true
    case .octets(nil): return false
    default: throw TokenError(.storeProtocol, node: "SET", expected: "OK or nothing")
    }
  }
}
