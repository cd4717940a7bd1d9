public import HTTPExchange
import Synchronization
public import TokenErrors

/// Stores a client's identity between runs. Without it the client registers anew.
public protocol MobileIdentityStore: Sendable {
  /// The stored identity, if any.
  func identity() async throws(TokenError) -> Secret?
  /// Stores an identity in place of an older one; nil removes it.
  func keep(_ identity: Secret?) async throws(TokenError)
}

/// Stores the identity in ``StoredCredentials/secrets`` of a credential store.
public struct CredentialIdentityStore: MobileIdentityStore {
  private let store: any CredentialStore
  private let name: String

  /// A store that uses one secret of `store`.
  ///
  /// - Parameters:
  ///   - store: The store of secrets.
  ///   - name: The key of the secret in the store, one for each server and application.
  public init(_ store: any CredentialStore, name: String) {
    self.store = store
    self.name = name
  }

  /// The stored identity, if any.
  /// - Throws: `session.store-*`.
  public func identity() async throws(TokenError) -> Secret? {
    try await store.read().secrets[name]
  }

  /// Stores an identity in place of an older one; nil removes it.
  /// - Throws: `session.store-*`.
  public func keep(_ identity: Secret?) async throws(TokenError) {
    let name = name
    try await store.update { $0.secrets[name] = identity }
  }
}

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
