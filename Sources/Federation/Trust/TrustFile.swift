import StrictJSON

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
  /// - Throws: `policy.trust-file-*` and others: the first of ``errors``.
  public func get() throws(TokenError) -> Trust {
    if let first = errors.first { throw first }
    guard let trust else { throw TokenError(.trustFileSyntax) }
    return trust
  }
}
