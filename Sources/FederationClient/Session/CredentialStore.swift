public import TokenErrors

/// Where credentials are kept between two runs of a program.
///
/// Several processes may share a store. A store keeps ``StoredCredentials`` whole, also what of them is
/// not public: it tells each process what another one has replaced, ended or is about to renew.
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
