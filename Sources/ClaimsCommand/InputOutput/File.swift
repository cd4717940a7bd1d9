#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An open file, read or written in pieces.
final class File: Sendable {
  /// What went wrong, in the system's words.
  struct Failure: Error {
    let number: Int32
    var text: String { unsafe String(cString: strerror(number)) }
    var isClosedPipe: Bool { number == EPIPE }
  }

  private let descriptor: Int32
  private let closesAtEnd: Bool

  static let standardInput = File(0)
  static let standardOutput = File(1)
  static let standardError = File(2)

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
    closesAtEnd = false
  }

  init(reading path: String) throws(Failure) {
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    closesAtEnd = true
    guard descriptor >= 0 else { throw Failure(number: errno) }
  }

  /// Creates or empties a file that only its owner may read: what is written may be confidential.
  init(writing path: String) throws(Failure) {
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    closesAtEnd = true
    guard descriptor >= 0 else { throw Failure(number: errno) }
  }

  /// Makes a folder that only its owner may enter, unless it is there already.
  static func makeFolder(_ path: String) throws(Failure) {
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Failure(number: errno) }
  }

  deinit { if closesAtEnd, descriptor >= 0 { close(descriptor) } }

  /// Appends up to `count` bytes to `buffer`; answers how many there were, 0 at the end.
  func read(_ count: Int, into buffer: inout [UInt8]) throws(Failure) -> Int {
    let start = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: count))
    while true {
      let received = unsafe buffer.withUnsafeMutableBytes { bytes in
        guard let base = bytes.baseAddress else { return 0 }
        return unsafe platformRead(descriptor, base + start, count)
      }
      if received < 0, errno == EINTR { continue }
      guard received >= 0 else {
        let number = errno
        buffer.removeLast(count)
        throw Failure(number: number)
      }
      buffer.removeLast(count - received)
      return received
    }
  }

  /// The rest of the file.
  func readAll(limit: Int) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count <= limit, try read(65_536, into: &bytes) > 0 {}
    return bytes
  }

  func write(_ bytes: [UInt8]) throws(Failure) { try write(bytes.span) }

  func write(_ bytes: Span<UInt8>) throws(Failure) {
    var start = 0
    while start < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { buffer in
        guard let base = buffer.baseAddress else { return 0 }
        return unsafe platformWrite(descriptor, base + start, buffer.count - start)
      }
      if written < 0, errno == EINTR { continue }
      guard written >= 0 else { throw Failure(number: errno) }
      start += written
    }
  }
}

// `read` and `write` are also names of methods here.
private func platformRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int)
  -> Int
{
  unsafe read(descriptor, buffer, count)
}

private func platformWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer, _ count: Int) -> Int {
  unsafe write(descriptor, buffer, count)
}
