/// Where accepted metadata outlives the process, so that a service can start while the publisher is
/// down, and an older document does not get in by a restart.
public protocol MetadataCopy: Sendable {
  /// The document kept last, and when; nil when there is none.
  ///
  /// It is judged like a fetched one. Where a signature proves metadata, whoever can write the copy
  /// gains nothing by it; where the server does, the copy must be as safe as configuration.
  ///
  /// - Throws: `registry.unreadable-file` or another code that says what is wrong.
  func read() throws(TokenError) -> (document: [UInt8], writtenAt: Instant)?

  /// Replaces what is kept, all or nothing.
  ///
  /// - Throws: `registry.unwritable-file` or another code that says what is wrong.
  func write(_ document: [UInt8]) throws(TokenError)
}
