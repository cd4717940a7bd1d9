public import BrowserExchange
public import TokenErrors

/// Stores the identity in ``StoredCredentials/secrets`` of a credential store.
public struct KeptIdentityStore: MobileIdentityStore {
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
