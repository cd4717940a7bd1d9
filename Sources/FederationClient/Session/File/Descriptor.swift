#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import TokenErrors

/// An open file, closed with its last use.
struct Descriptor: ~Copyable {
  private let number: Int32

  /// Opens `path`; never through a symbolic link in its last part, never inherited by a child.
  /// - Throws: `session.store-file`.
  init(
    _ path: String, _ flags: Int32, failing code: TokenError.Code = .sessionStoreFile
  ) throws(TokenError) {
    number = unsafe open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard number >= 0 else { throw Self.error(path, code) }
  }

  deinit { _ = close(number) }

  /// Waits until no other process or thread holds the file; the hold ends with the descriptor, also when
  /// the process is killed.
  func lock(_ path: String) throws(TokenError) {
    while flock(number, LOCK_EX) != 0 {
      guard errno == EINTR else { throw Self.error(path) }
    }
  }

  /// Size in octets and permission bits of a regular file; nil for anything else.
  var status: (size: Int, mode: UInt32)? {
    var status = stat()
    guard unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return (Int(status.st_size), UInt32(status.st_mode) & 0o777)
  }

  func readAll(_ path: String, limit: Int) throws(TokenError) -> [UInt8] {
    var octets: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while octets.count <= limit {
      let count = unsafe read(number, &buffer, buffer.count)
      if count == 0 { return octets }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw Self.error(path) }
      octets += buffer.prefix(count)
    }
    throw TokenError(.sessionStoreFile, node: path, expected: "at most \(limit) bytes")
  }

  /// Writes everything and waits until the disk has it.
  func writeAll(_ octets: [UInt8], _ path: String) throws(TokenError) {
    var written = 0
    while written < octets.count {
      let rest = Array(octets[written...])
      let count = unsafe write(number, rest, rest.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw Self.error(path) }
      written += count
    }
    try sync(path)
  }

  func sync(_ path: String) throws(TokenError) {
    guard fsync(number) == 0 else { throw Self.error(path) }
  }

  static func error(
    _ path: String, _ code: TokenError.Code = .sessionStoreFile
  ) -> TokenError {
    TokenError(code, node: path, found: unsafe String(cString: strerror(errno)))
  }
}
