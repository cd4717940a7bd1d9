#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file of the configuration, read whole.
enum LocalFile {
  /// The bytes, and the state of the file that they are of.
  ///
  /// - Throws: `registry.unreadable-file`, also when the file changes all the time while it is read.
  static func read(_ path: String, limit: Int) throws(TokenError) -> ([UInt8], FileIdentity) {
    for _ in 0..<3 {
      let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw failure(path, errno) }
      defer { close(descriptor) }
      let before = FileIdentity(descriptor: descriptor)
      let bytes = try readAll(descriptor, path, limit: limit)
      if let before, before == FileIdentity(descriptor: descriptor) { return (bytes, before) }
    }
    throw TokenError(
      .registryUnreadableFile, node: path, expected: "a file that nobody is writing")
  }

  private static func readAll(
    _ descriptor: Int32, _ path: String, limit: Int
  ) throws(TokenError) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe platformRead(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(path, errno) }
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
      guard bytes.count <= limit else {
        throw TokenError(.registryUnreadableFile, node: path, expected: "at most \(limit) bytes")
      }
    }
  }

  private static func failure(_ path: String, _ number: Int32) -> TokenError {
    TokenError(
      .registryUnreadableFile, node: path, expected: "a readable file",
      found: unsafe String(cString: strerror(number)))
  }
}

// `read` is also the name of a method here.
private func platformRead(
  _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int
) -> Int {
  unsafe read(descriptor, buffer, count)
}
