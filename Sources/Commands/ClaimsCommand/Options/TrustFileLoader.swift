import Federation

/// Trust files on disk.
enum TrustFileLoader {
  /// Reads the trust file at `path`; its key files are relative to it.
  static func load(_ path: String, log: FileLog? = nil) throws(TokenError) -> TrustFile {
    let bytes: [UInt8]
    do {
      bytes = try ConfigurationFiles(log: log).read(path)
    } catch {
      // One that is too long is no key either.
      guard error.code == .unreadableKey else { throw error }
      throw TokenError(
        .unreadableFile, node: error.node, expected: error.expected, found: error.found)
    }
    return TrustFile(parsing: bytes, files: ConfigurationFiles(besides: path, log: log))
  }
}
