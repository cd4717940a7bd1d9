/// A trust configuration in JSON.
public struct TrustFile: Sendable {
  /// The file's trust; nil when there are errors.
  public let trust: Trust?
  /// All errors of the file, in document order. The node is `line L, column C`.
  public let errors: [TokenError]
  /// Allowed but doubtful settings, as one sentence each.
  public let warnings: [String]
  /// Why keys in the files that it names are passed over, each with the file and its place there.
  /// The rest is trusted all the same.
  public let passedOver: [TokenError]

  /// Reads a trust file and collects every error, not only the first.
  ///
  /// - Parameters:
  ///   - bytes: The trust file, JSON.
  ///   - files: Reads the key files, whose paths are relative to the trust file.
  public init(parsing bytes: [UInt8], files: some FileSource) {
    var reader = TrustFileReader(bytes, files: files)
    let trust = reader.read()
    errors = reader.errors
    warnings = reader.warnings
    passedOver = reader.passedOver
    self.trust = reader.errors.isEmpty ? trust : nil
  }

  /// The file's trust.
  ///
  /// - Throws: `policy.trust-file-*` and others: the first of ``errors``; `policy.trust-file-remote` for a file with issuers whose
  ///   keys have to be fetched.
  public func get() throws(TokenError) -> Trust {
    let trust = try withRemoteIssuers()
    if let remote = trust.remoteIssuers.first {
      throw TokenError(
        .trustFileRemote, expected: "keys in the file", found: TokenError.excerpt(remote.name))
    }
    return trust
  }

  /// The file's trust, with the issuers that a registry has to fetch or ask.
  ///
  /// - Throws: As ``get()``, but for those.
  package func withRemoteIssuers() throws(TokenError) -> Trust {
    if let first = errors.first { throw first }
    guard let trust else { throw TokenError(.trustFileSyntax) }
    return trust
  }
}

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
