import Synchronization
public import TokenErrors

/// Keeps credentials as long as the process lives.
public final class MemoryCredentialStore: CredentialStore {
  private let content = Mutex(StoredCredentials())

  /// An empty store.
  public init() {}

  /// The content.
  public func read() throws(TokenError) -> StoredCredentials { content.withLock { $0 } }

  /// Changes the content. Returns it as it is then.
  /// // - Throws: What `change` throws.
  @discardableResult
  public func update(
    _ change: @Sendable (inout StoredCredentials) throws(TokenError) -> Void
  ) throws(TokenError) -> StoredCredentials {
    try content.withLock { (content) throws(TokenError) in
      var copy = content
      try change(&copy)
      content = copy
      return copy
    }
  }
}
