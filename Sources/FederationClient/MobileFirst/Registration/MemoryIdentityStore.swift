public import BrowserExchange
import Synchronization
public import TokenErrors

/// Stores the identity in memory, for the life of the process.
public final class MemoryIdentityStore: MobileIdentityStore {
  private let kept: Mutex<Secret?>

  /// A store that contains `identity`.
  public init(_ identity: Secret? = nil) { kept = Mutex(identity) }

  /// The stored identity, if any. Never throws.
  public func identity() async throws(TokenError) -> Secret? { kept.withLock { $0 } }

  /// Stores an identity in place of an older one; nil removes it. Never throws.
  public func keep(_ identity: Secret?) async throws(TokenError) {
    kept.withLock { $0 = identity }
  }
}
