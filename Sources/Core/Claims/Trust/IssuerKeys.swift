import SecurityKeys
import Synchronization

/// The keys of an issuer: decoded, or decoded when a token first names the issuer. An aggregate lists
/// thousands of issuers, and a run sees tokens of a few.
enum IssuerKeys: Sendable {
  case made([TrustedKey])
  case deferred(DeferredKeys)

  var all: [TrustedKey] {
    switch self {
    case .made(let keys): keys
    case .deferred(let keys): keys.all
    }
  }

  /// The exceptions of the keys.
  var exceptions: Set<LegacyException> {
    switch self {
    case .made(let keys): keys.reduce(into: []) { $0.formUnion($1.exceptions) }
    case .deferred(let keys): keys.exceptions ?? Self.made(keys.all).exceptions
    }
  }

  /// The same keys, each changed by `change`, which adds `exceptions` to theirs.
  func mapped(
    adding exceptions: Set<LegacyException> = [],
    _ change: @escaping @Sendable (TrustedKey) -> TrustedKey
  ) -> Self {
    switch self {
    case .made(let keys): .made(keys.map(change))
    case .deferred(let keys):
      .deferred(
        DeferredKeys(exceptions: keys.exceptions?.union(exceptions)) { keys.all.map(change) })
    }
  }
}

/// Keys that are decoded once, on first use.
final class DeferredKeys: Sendable {
  /// The exceptions of the keys, where they are known before the keys are decoded.
  let exceptions: Set<LegacyException>?
  private let make: @Sendable () -> [TrustedKey]
  private let made = Mutex<[TrustedKey]?>(nil)

  init(exceptions: Set<LegacyException>?, _ make: @escaping @Sendable () -> [TrustedKey]) {
    self.exceptions = exceptions
    self.make = make
  }

  var all: [TrustedKey] {
    made.withLock { made in
      let keys = made ?? make()
      made = keys
      return keys
    }
  }
}
