import Synchronization
public import TokenErrors

/// Stores credentials between two runs of a program.
///
/// Several processes may share a store. A store must store ``StoredCredentials`` as a whole, including its
/// non-public members: they show each process what another one has replaced, ended or is renewing.
public protocol CredentialStore: Sendable {
  /// The stored content; empty at the first run.
  /// - Throws: `session.store-*`.
  func read() async throws(TokenError) -> StoredCredentials

  /// Reads, changes and writes as one step: no change of another process is lost, and after a crash the store
  /// has either the old or the new content. An error of `change` leaves the content unchanged.
  /// - Returns: The new content.
  /// - Throws: `session.store-*`, and errors of `change`.
  @discardableResult
  func update(
    _ change: @Sendable (inout StoredCredentials) throws(TokenError) -> Void
  ) async throws(TokenError) -> StoredCredentials
}

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
