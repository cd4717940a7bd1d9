import LocalFiles

/// Reads a configuration file as a whole.
enum StableFile {
  /// The bytes and the identity of the file at the time of reading.
  ///
  /// - Throws: `registry.unreadable-file`, also if the file changes during each of three attempts.
  static func read(_ path: String, limit: Int) throws(TokenError) -> ([UInt8], FileIdentity) {
    for _ in 0..<3 {
      let (bytes, before, after) = try readOnce(path, limit)
      guard bytes.count <= limit else {
        throw TokenError(.registryUnreadableFile, node: path, expected: "at most \(limit) bytes")
      }
      if let before, before == after { return (bytes, before) }
    }
    throw TokenError(
      .registryUnreadableFile, node: path, expected: "a file that nobody is writing")
  }

  private static func readOnce(
    _ path: String, _ limit: Int
  ) throws(TokenError) -> ([UInt8], before: FileIdentity?, after: FileIdentity?) {
    do throws(FileFailure) {
      let file = try OpenFile(reading: path)
      let before = FileIdentity(descriptor: file.descriptor)
      let bytes = try file.readAll(limit: limit)
      return (bytes, before, FileIdentity(descriptor: file.descriptor))
    } catch {
      throw error.error(.registryUnreadableFile, path, expected: "a readable file")
    }
  }
}
