/// Where configuration files come from. The library itself opens nothing.
public protocol FileSource: Sendable {
  /// The bytes of the file at `path`, which may be relative to a place that the source knows.
  ///
  /// - Throws: `policy.trust-file-reference` or another code that says what is wrong.
  func read(_ path: String) throws(TokenError) -> [UInt8]
}
