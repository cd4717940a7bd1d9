/// Where accepted metadata outlives the process, so that a service can start while the publisher is
/// down. The server is asked first all the same (``RefreshSchedule/firstAnswer``).
public protocol MetadataCopy: Sendable {
  /// The document kept last, and when it was fetched; nil when there is none.
  ///
  /// It is judged like a fetched one. Whoever can write the copy can put an older document there, in
  /// which a withdrawn key still stands, and, where the server alone proves metadata, any other: the copy
  /// must be as safe as configuration.
  ///
  /// - Throws: `registry.unreadable-file`, `registry.unsafe-file` or another code that says what is
  ///   wrong.
  func read() throws(TokenError) -> (document: [UInt8], fetchedAt: Instant)?

  /// Replaces what is kept, all or nothing.
  ///
  /// - Throws: `registry.unwritable-file` or another code that says what is wrong.
  func write(_ document: [UInt8], fetchedAt: Instant) throws(TokenError)
}
