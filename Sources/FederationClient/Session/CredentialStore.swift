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
