public import TokenErrors

/// Keeps the identity among the secrets of a store of credentials.
public struct KeptIdentityStore: MobileIdentityStore {
  private let store: any CredentialStore
  private let name: String

  /// - Parameter name: Of the secret in the store, one for each server and application.
  public init(_ store: any CredentialStore, name: String) {
    self.store = store
    self.name = name
  }

  public func identity() async throws(TokenError) -> Secret? {
    try await store.read().secrets[name]
  }

  public func keep(_ identity: Secret?) async throws(TokenError) {
    let name = name
    try await store.update { $0.secrets[name] = identity }
  }
}
