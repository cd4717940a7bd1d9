import StrictJSON

/// A trust decision as a JSON file.
public struct TrustFile: Sendable {
  /// What the file says, complete when there are no errors.
  public let trust: Trust?
  /// What is wrong with the file, in document order. The node is `line L, column C`.
  public let errors: [TokenError]
  /// What is allowed but worth a look, as one sentence each.
  public let warnings: [String]

  /// Reads a trust file; every mistake is found, not the first alone.
  ///
  /// - Parameter files: Where the key files are, relative to the trust file.
  public init(parsing bytes: [UInt8], files: some FileSource) {
    var reader = TrustFileReader(bytes, files: files)
    let trust = reader.read()
    errors = reader.errors
    warnings = reader.warnings
    self.trust = reader.errors.isEmpty ? trust : nil
  }

  /// What the file says.
  ///
  /// - Throws: `policy.trust-file-*` and others: the first of ``errors``.
  public func get() throws(TokenError) -> Trust {
    if let first = errors.first { throw first }
    guard let trust else { throw TokenError(.trustFileSyntax) }
    return trust
  }
}
