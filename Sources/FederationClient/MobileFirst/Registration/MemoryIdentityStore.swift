import Synchronization
public import TokenErrors

/// Keeps the identity as long as the process lives.
public final class MemoryIdentityStore: MobileIdentityStore {
  private let kept: Mutex<Secret?>

  public init(_ identity: Secret? = nil) { kept = Mutex(identity) }

  public func identity() async throws(TokenError) -> Secret? { kept.withLock { $0 } }

  public func keep(_ identity: Secret?) async throws(TokenError) {
    kept.withLock { $0 = identity }
  }
}
