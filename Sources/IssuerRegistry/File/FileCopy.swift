#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A copy of metadata in a file that its owner alone may read and write.
public struct FileCopy: MetadataCopy {
  private let path: String

  /// - Parameter path: In a folder that only the service may write to.
  public init(path: String) { self.path = path }

  public func read() throws(TokenError) -> (document: [UInt8], writtenAt: Instant)? {
    guard FileIdentity(path: path) != nil else { return nil }
    let (bytes, identity) = try LocalFile.read(path, limit: Limits.hardByteLimit)
    return (bytes, identity.modified)
  }

  /// Under another name first: who reads at any moment finds the old copy or the new one, whole.
  public func write(_ document: [UInt8]) throws(TokenError) {
    let draft = "\(path).\(getpid())"
    let descriptor = unsafe open(
      draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure(errno) }
    let number = Self.write(document, to: descriptor)
    close(descriptor)
    guard number == 0 else {
      unsafe unlink(draft)
      throw failure(number)
    }
    guard unsafe rename(draft, path) == 0 else { throw failure(errno) }
  }

  /// 0, or the system's error.
  private static func write(_ document: [UInt8], to descriptor: Int32) -> Int32 {
    var start = 0
    while start < document.count {
      let count = unsafe document.withUnsafeBytes { bytes in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
        return unsafe platformWrite(descriptor, rest.baseAddress, rest.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return errno }
      start += count
    }
    return fsync(descriptor) == 0 ? 0 : errno
  }

  private func failure(_ number: Int32) -> TokenError {
    TokenError(
      .registryUnwritableFile, node: path, expected: "a folder that can be written to",
      found: unsafe String(cString: strerror(number)))
  }
}

// `write` is also the name of a method here.
private func platformWrite(
  _ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int
) -> Int {
  unsafe write(descriptor, buffer, count)
}
