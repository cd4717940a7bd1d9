import AccessControl
import SignIn
import TestSupport

/// A store that cannot be asked.
struct AwayValueStore: ValueStore {
  private static let error = TokenError(.signInSessionStore, found: "away")

  func keep(
    _ value: [UInt8], under name: ValueName, until end: Instant, at now: Instant
  ) async throws(TokenError) { throw Self.error }
  func value(under name: ValueName, at now: Instant) async throws(TokenError) -> [UInt8]? {
    throw Self.error
  }
  func take(_ name: ValueName, at now: Instant) async throws(TokenError) -> [UInt8]? {
    throw Self.error
  }
  func remove(_ name: ValueName) async throws(TokenError) { throw Self.error }
  func sweep(at now: Instant) async throws(TokenError) { throw Self.error }
}
