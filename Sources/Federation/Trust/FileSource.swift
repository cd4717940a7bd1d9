/// Where configuration files come from. The library itself opens nothing.
public protocol FileSource: Sendable {
  /// The bytes of the file at `path`, which may be relative to a place that the source knows.
  ///
  /// - Throws: `policy.trust-file-reference` or another code that says what is wrong.
  func read(_ path: String) throws(TokenError) -> [UInt8]

  /// Hands over the file at `path` piece by piece. A source that can, reads no more at a time than it
  /// hands over: metadata of a federation has tens of megabytes.
  ///
  /// - Throws: as ``read(_:)``, and what `body` throws.
  func forEachChunk(
    of path: String, _ body: ([UInt8]) throws(TokenError) -> Void
  ) throws(TokenError)
}

extension FileSource {
  /// The whole file as one piece.
  public func forEachChunk(
    of path: String, _ body: ([UInt8]) throws(TokenError) -> Void
  ) throws(TokenError) {
    try body(read(path))
  }
}
