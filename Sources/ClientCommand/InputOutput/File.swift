#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Files and streams, as far as this command needs them.
enum File {
  /// The whole of a file; `-` is standard input.
  /// - Throws: exit code 3.
  static func read(_ path: String, limit: Int = 16 << 20) throws(CommandFailure) -> [UInt8] {
    let descriptor = path == "-" ? 0 : unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path, errno) }
    defer { if descriptor > 0 { close(descriptor) } }
    var octets: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while octets.count <= limit {
      let count = unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe platformRead(descriptor, bytes.baseAddress, bytes.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(path, errno) }
      guard count > 0 else { return octets }
      octets += buffer[..<count]
    }
    throw CommandFailure(.inputOutput, "cannot read \(path): more than \(limit) bytes")
  }

  /// Writes to an open descriptor; whether all of it went out.
  @discardableResult
  static func write(_ octets: [UInt8], to descriptor: Int32) -> Bool {
    var start = 0
    while start < octets.count {
      let count = unsafe octets.withUnsafeBytes { bytes in
        unsafe platformWrite(
          descriptor, bytes.baseAddress.map { unsafe $0 + start }, bytes.count - start)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      start += count
    }
    return true
  }

  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  private static func failure(_ path: String, _ number: Int32) -> CommandFailure {
    CommandFailure(
      .inputOutput, "cannot read \(path): \(unsafe String(cString: strerror(number)))")
  }
}

// `read` and `write` are also names of methods here.
private func platformRead(
  _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int
) -> Int {
  unsafe read(descriptor, buffer, count)
}

private func platformWrite(
  _ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int
) -> Int {
  unsafe write(descriptor, buffer, count)
}
