/// Access to configuration files. The library itself opens none.
public protocol FileSource: Sendable {
  /// The bytes of the file at `path`, which may be relative to a folder of the source.
  ///
  /// - Throws: `policy.trust-file-reference` or another code with the cause.
  func read(_ path: String) throws(TokenError) -> [UInt8]

  /// Passes the file at `path` to `body` piece by piece. A source should read no more at a time than
  /// one piece: metadata of a federation has tens of megabytes.
  ///
  /// - Throws: as ``read(_:)``, and what `body` throws.
  func forEachChunk(
    of path: String, _ body: ([UInt8]) throws(TokenError) -> Void
  ) throws(TokenError)
}

extension FileSource {
  /// Passes the whole file as one piece.
  public func forEachChunk(
    of path: String, _ body: ([UInt8]) throws(TokenError) -> Void
  ) throws(TokenError) {
    try body(read(path))
  }
}
