import Federation

/// Trust files on disk.
enum TrustFileLoader {
  /// Reads the trust file at `path`; its keys are beside it.
  static func load(_ path: String) throws(TokenError) -> TrustFile {
    let bytes = try ConfigurationFiles().read(path)
    return TrustFile(parsing: bytes, files: ConfigurationFiles(besides: path))
  }
}
