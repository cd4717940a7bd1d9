/// Stores accepted metadata between runs, so that a service can start while the publisher is down. A fetch
/// is tried first all the same (``RefreshSchedule/firstAnswer``).
public protocol MetadataCopy: Sendable {
  /// The document stored last and the time of its fetch; nil if there is none.
  ///
  /// It is checked like a fetched one. An attacker who can write the copy can restore an older document
  /// that still contains a withdrawn key or, where only the server authenticates metadata, insert any other:
  /// protect the copy like the configuration.
  ///
  /// - Throws: `registry.unreadable-file`, `registry.unsafe-file` or another fitting code.
  func read() throws(TokenError) -> (document: [UInt8], fetchedAt: Instant)?

  /// Replaces the stored document, atomically.
  ///
  /// - Throws: `registry.unwritable-file` or another fitting code.
  func write(_ document: [UInt8], fetchedAt: Instant) throws(TokenError)
}
