import Synchronization
public import TokenErrors

/// Stores credentials in memory, for the life of the process.
public final class MemoryCredentialStore: CredentialStore {
  private let content = Mutex(StoredCredentials())

  /// An empty store.
  public init() {}

  /// The current content. Never throws.
  public func read() throws(TokenError) -> StoredCredentials { content.withLock { $0 } }

  /// Changes the content under a lock; an error of `change` leaves it unchanged.
  /// - Throws: Errors of `change`.
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
