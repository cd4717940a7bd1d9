public import SignIn

/// A store that cannot be asked.
public struct AwayValueStore: ValueStore {
  private static let error = TokenError(.signInSessionStore, found: "away")

  public init() {}

  public func keep(
    _ value: [UInt8], under name: ValueName, until end: Instant, at now: Instant
  ) async throws(TokenError) { throw Self.error }
  public func value(
    under name: ValueName, at now: Instant
  ) async throws(TokenError) -> [UInt8]? { throw Self.error }
  public func take(_ name: ValueName, at now: Instant) async throws(TokenError) -> [UInt8]? {
    throw Self.error
  }
  public func remove(_ name: ValueName) async throws(TokenError) { throw Self.error }
  public func sweep(at now: Instant) async throws(TokenError) { throw Self.error }
}
