public import TokenErrors

/// Where credentials are kept between two runs of a program.
public protocol CredentialStore: Sendable {
  /// What is kept; nothing at the first run.
  /// - Throws: `session.store-*`.
  func read() async throws(TokenError) -> StoredCredentials

  /// Reads, changes and writes as one step: nobody else's change in between is lost, and after a crash
  /// either the old or the new content is there. An error of `change` leaves everything as it was.
  /// - Returns: What is kept now.
  /// - Throws: `session.store-*`, and what `change` throws.
  @discardableResult
  func update(
    _ change: @Sendable (inout StoredCredentials) throws(TokenError) -> Void
  ) async throws(TokenError) -> StoredCredentials
}
