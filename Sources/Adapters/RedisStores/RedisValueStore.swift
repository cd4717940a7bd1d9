public import SignIn

/// The values of a fleet, which the server drops when they are over.
public struct RedisValueStore: ValueStore {
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

  /// Keeps a value.
  ///
  /// - Throws: `store.*`.
  public func keep(
    _ value: [UInt8], under name: ValueName, until end: Instant, at now: Instant
  ) async throws(TokenError) {
    let left = max(1_000, end.milliseconds(since: now))
    let command = RESPCommand(
      "SET", [keys.key("v", of: name.digest), value, Array("PX".utf8), Array("\(left)".utf8)])
    _ = try await commands.reply(to: command)
  }

  /// The value; nil for none.
  ///
  /// - Throws: `store.*`.
  public func value(
    under name: ValueName, at now: Instant
  ) async throws(TokenError) -> [UInt8]? {
    let command = RESPCommand("GET", [keys.key("v", of: name.digest)])
    guard case .octets(let value) = try await commands.reply(to: command) else {
      throw TokenError(.storeProtocol, node: "GET", expected: "octets or nothing")
    }
    return value
  }

  /// Removes a value and returns it; nil for none. The server does both at once.
  ///
  /// - Throws: `store.*`.
  public func take(_ name: ValueName, at now: Instant) async throws(TokenError) -> [UInt8]? {
    let command = RESPCommand("GETDEL", [keys.key("v", of: name.digest)])
    guard case .octets(let value) = try await commands.reply(to: command) else {
      throw TokenError(.storeProtocol, node: "GETDEL", expected: "octets or nothing")
    }
    return value
  }

  /// Removes a value.
  ///
  /// - Throws: `store.*`.
  public func remove(_ name: ValueName) async throws(TokenError) {
    let command = RESPCommand("DEL", [keys.key("v", of: name.digest)])
    _ = try await commands.reply(to: command)
  }

  /// Does nothing: the server drops what is over.
  public func sweep(at now: Instant) async throws(TokenError) {}
}
