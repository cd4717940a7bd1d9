public import Federation
import Octets
import SecurityKeys
import Synchronization

/// Keeps what a service has to find again by a name that nobody guesses, such as an authorization code, until its end.
///
/// A store knows the SHA-256 of the name alone, and the value is sealed before it gets here, so that a copy of the store
/// gives nothing away. A store that cannot answer throws, which is no answer of "there is none".
public protocol ValueStore: Sendable {
  /// Keeps a value; one that is kept under the name already is replaced.
  func keep(
    _ value: [UInt8], under name: ValueName, until end: Instant, at now: Instant
  ) async throws(TokenError)
  /// The value; nil for none, or one that is over.
  func value(under name: ValueName, at now: Instant) async throws(TokenError) -> [UInt8]?
  /// Removes a value and returns it: of two calls at once, at any nodes, one gets it. Nil for none, or one that is over.
  func take(_ name: ValueName, at now: Instant) async throws(TokenError) -> [UInt8]?
  /// Removes a value, if it is there.
  func remove(_ name: ValueName) async throws(TokenError)
  /// Drops what is over.
  func sweep(at now: Instant) async throws(TokenError)
}

extension ValueStore {
  /// Keeps a value, reads it and removes it: whether a code could be given right now.
  ///
  /// - Throws: Errors of the store; `signin.session-store` where it does not give back what it was given.
  package func probe(at now: Instant) async throws(TokenError) {
    let name = ValueName(MarkName(.health, Hex.encode(SystemRandom.octets(16))))
    try await keep([1], under: name, until: now.advanced(bySeconds: 60), at: now)
    guard try await value(under: name, at: now) == [1] else {
      throw TokenError(
        .signInSessionStore, expected: "the value that was just kept", found: "none")
    }
    try await remove(name)
  }
}

/// The name of a value, as a store knows it.
public struct ValueName: Hashable, Sendable, CustomStringConvertible {
  /// The SHA-256 of the name.
  public let digest: [UInt8]

  /// The name of a text.
  public init(_ text: String) {
    let octets = Array("value:\(text)".utf8)
    digest = DigestAlgorithm.sha256.digest(of: octets) ?? octets
  }

  /// The name of a kept value.
  package init(_ name: KeptName<some StoredValue>) { self.init(name.text) }

  /// The name of a mark.
  package init(_ name: MarkName) { self.init(name.text) }

  /// Eight digits of the digest.
  public var description: String { "value " + Hex.encode(Array(digest.prefix(4))) }
}

/// The values of one process, which end with it.
public final class MemoryValueStore: ValueStore {
  private let values = Mutex<[ValueName: (value: [UInt8], end: Instant)]>([:])
  private let capacity: Int

  /// - Parameter capacity: The most values; a further one is refused (`signin.sessions-full`).
  public init(capacity: Int = 1_000_000) { self.capacity = capacity }

  /// Keeps a value.
  ///
  /// - Throws: `signin.sessions-full`.
  public func keep(
    _ value: [UInt8], under name: ValueName, until end: Instant, at now: Instant
  ) async throws(TokenError) {
    let isKept = values.withLock { values in
      if values.count >= capacity { values = values.filter { now < $0.value.end } }
      guard values.count < capacity || values[name] != nil else { return false }
      values[name] = (value, end)
      return true
    }
    guard isKept else {
      throw TokenError(.signInSessionsFull, expected: "fewer than \(capacity) values")
    }
  }

  /// The value; nil for none, or one that is over.
  public func value(
    under name: ValueName, at now: Instant
  ) async throws(TokenError) -> [UInt8]? {
    values.withLock { values in
      guard let found = values[name] else { return nil }
      guard now < found.end else {
        values[name] = nil
        return nil
      }
      return found.value
    }
  }

  /// Removes a value and returns it; nil for none, or one that is over.
  public func take(_ name: ValueName, at now: Instant) async throws(TokenError) -> [UInt8]? {
    let taken = values.withLock { $0.removeValue(forKey: name) }
    return taken.flatMap { now < $0.end ? $0.value : nil }
  }

  /// Removes a value.
  public func remove(_ name: ValueName) async throws(TokenError) {
    values.withLock { $0[name] = nil }
  }

  /// Drops what is over.
  public func sweep(at now: Instant) async throws(TokenError) {
    values.withLock { values in values = values.filter { now < $0.value.end } }
  }
}
