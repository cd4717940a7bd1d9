import Federation

/// Trust files on disk.
enum TrustFileLoader {
  /// Reads the trust file at `path`; its key files are relative to it.
  static func load(_ path: String, log: FileLog? = nil) throws(TokenError) -> TrustFile {
    let bytes = try ConfigurationFiles(log: log).read(path)
    return TrustFile(parsing: bytes, files: ConfigurationFiles(besides: path, log: log))
  }
}
