import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An open file, read or written in pieces; closed with its last use and never inherited by a child.
package final class OpenFile: Sendable {
  /// For system calls that this type lacks.
  package let descriptor: Int32
  private let closesAtEnd: Bool
  /// How long a pipe or a device may give or take nothing; nil for any time.
  private let silence: Duration?
  /// What was read to learn whether a FIFO has a writer.
  private let head = Mutex<[UInt8]>([])

  /// How long a FIFO may have nobody at its other end.
  package static let longestWait: Duration = .seconds(10)
  /// How long a pipe or a device may give nothing: a person can type a passphrase meanwhile.
  package static let longestSilence: Duration = .seconds(60)

  package static let standardInput = OpenFile(0)
  package static let standardOutput = OpenFile(1)
  package static let standardError = OpenFile(2)

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
    closesAtEnd = false
    silence = nil
  }

  /// Opens or creates a file. A created one is readable and writable by its owner only.
  private init(
    _ path: String, _ flags: Int32, silence: Duration? = nil
  ) throws(FileFailure) {
    // The system would end the path at the NUL.
    guard !path.utf8.contains(0) else { throw FileFailure(EINVAL) }
    descriptor = unsafe open(path, flags | O_CLOEXEC, 0o600)
    closesAtEnd = true
    self.silence = silence
    guard descriptor >= 0 else { throw FileFailure(errno) }
  }

  /// Opens a file for reading, and waits only so long for a FIFO's writer and for each piece of a pipe or a device.
  ///
  /// - Parameters:
  ///   - wait: How long a FIFO may have no writer.
  ///   - silence: How long nothing may come; nil for any time.
  package convenience init(
    reading path: String, wait: Duration = OpenFile.longestWait,
    silence: Duration? = OpenFile.longestSilence
  ) throws(FileFailure) {
    try self.init(path, O_RDONLY | O_NONBLOCK, silence: silence)
    try awaitWriter(wait)
  }

  /// Creates or truncates a file for writing, and waits only so long for a FIFO's reader.
  package convenience init(
    writing path: String, wait: Duration = OpenFile.longestWait
  ) throws(FileFailure) {
    let end = ContinuousClock.now + wait
    while Self.lacksReader(path) {
      guard ContinuousClock.now < end else { throw FileFailure("nobody reads this pipe") }
      usleep(Self.pause)
    }
    try self.init(
      path, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK, silence: Self.longestSilence)
  }

  /// Between two looks at a FIFO, in microseconds.
  private static let pause: UInt32 = 20_000

  /// Whether the path is a FIFO that nobody reads.
  private static func lacksReader(_ path: String) -> Bool {
    var status = stat()
    guard !path.utf8.contains(0), unsafe stat(path, &status) == 0,
      status.st_mode & S_IFMT == S_IFIFO
    else { return false }
    let descriptor = unsafe open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return errno == ENXIO }
    close(descriptor)
    return false
  }

  /// Waits until a FIFO has content, an end, or a writer that has sent nothing yet.
  private func awaitWriter(_ wait: Duration) throws(FileFailure) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return }
    let end = ContinuousClock.now + wait
    var awaited = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: POLLIN), revents: 0)
    // Without a writer `poll` reports nothing until one has come, and `read` reports the end.
    while unsafe poll(&awaited, 1, 0) <= 0 {
      var octet: UInt8 = 0
      let count = unsafe platformRead(descriptor, &octet, 1)
      if count > 0 { return head.withLock { $0 = [octet] } }
      guard count == 0 || errno == EINTR else {
        guard errno == EAGAIN || errno == EWOULDBLOCK else { throw FileFailure(errno) }
        return
      }
      guard ContinuousClock.now < end else { throw FileFailure("nobody writes to this pipe") }
      usleep(Self.pause)
    }
  }

  /// Creates a file; fails if the path exists, also as a link.
  package convenience init(creating path: String) throws(FileFailure) {
    try self.init(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
  }

  /// Opens a file for reading without waiting, also a FIFO without a writer; rejects a symbolic link.
  package convenience init(readingAtOnce path: String) throws(FileFailure) {
    try self.init(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  }

  /// Opens or creates a file and waits for its exclusive lock. The lock ends with the last use, also when the
  /// process is killed. Nil if another process or thread holds it for longer than `patience`.
  package convenience init?(locking path: String, for patience: Duration) throws(FileFailure) {
    try self.init(path, O_RDWR | O_CREAT | O_NOFOLLOW)
    let end = ContinuousClock.now + patience
    // In microseconds. A blocking `flock` has no time limit.
    var pause: UInt32 = 100
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EINTR || errno == EWOULDBLOCK else { throw FileFailure(errno) }
      guard ContinuousClock.now < end else { return nil }
      usleep(pause)
      pause = min(2 * pause, 5000)
    }
  }

  deinit { if closesAtEnd, descriptor >= 0 { close(descriptor) } }

  /// Creates a folder that only its owner may enter, unless it exists.
  package static func makeFolder(_ path: String) throws(FileFailure) {
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileFailure(errno) }
  }

  /// Whether a folder has no files; false for what is no folder.
  package static func isEmptyFolder(_ path: String) -> Bool {
    guard let folder = unsafe opendir(path) else { return false }
    defer { unsafe closedir(folder) }
    // Its own two names are all that an empty one lists.
    for _ in 0..<2 where unsafe readdir(folder) == nil { return true }
    return unsafe readdir(folder) == nil
  }

  package var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Size in octets and permission bits of a regular file; nil for anything else.
  package var status: (size: Int, mode: UInt32)? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return (Int(status.st_size), UInt32(status.st_mode) & 0o777)
  }

  /// Appends up to `count` octets to `buffer` and returns their number, 0 at the end.
  package func read(_ count: Int, into buffer: inout [UInt8]) throws(FileFailure) -> Int {
    let before = buffer.count
    if closesAtEnd {
      let head = head.withLock { head in
        defer { head = [] }
        return head
      }
      guard head.isEmpty else {
        buffer += head
        return head.count
      }
    }
    try buffer.append(addingCapacity: count) { output throws(FileFailure) in
      try unsafe output.withUnsafeMutableBufferPointer { room, filled throws(FileFailure) in
        guard let base = room.baseAddress else { return }
        var received = unsafe platformRead(descriptor, base + filled, count)
        while received < 0, try isToBeRepeated(POLLIN) {
          received = unsafe platformRead(descriptor, base + filled, count)
        }
        guard received >= 0 else { throw FileFailure(errno) }
        filled += received
      }
    }
    return buffer.count - before
  }

  /// The rest of the file; of a longer one somewhat more than `limit` octets, for the caller to reject.
  package func readAll(limit: Int) throws(FileFailure) -> [UInt8] {
    var octets: [UInt8] = []
    // A small file is read at once, with room for one octet more to detect its end.
    let size = status?.size ?? 0
    let piece = size > 0 ? min(size + 1, 65_536) : 65_536
    while octets.count <= limit, try read(piece, into: &octets) > 0 {}
    return octets
  }

  package func write(_ octets: [UInt8]) throws(FileFailure) { try write(octets.span) }

  package func write(_ octets: Span<UInt8>) throws(FileFailure) {
    var start = 0
    while start < octets.count {
      let written = unsafe octets.withUnsafeBytes { buffer in
        guard let base = buffer.baseAddress else { return 0 }
        return unsafe platformWrite(descriptor, base + start, buffer.count - start)
      }
      if written < 0, try isToBeRepeated(POLLOUT) { continue }
      guard written >= 0 else { throw FileFailure(errno) }
      start += written
    }
  }

  /// Whether the last call was interrupted, or found a non-blocking descriptor not ready, which has become ready since.
  ///
  /// - Throws: when it does not become ready in time.
  private func isToBeRepeated(_ event: some BinaryInteger) throws(FileFailure) -> Bool {
    if errno == EINTR { return true }
    guard errno == EAGAIN || errno == EWOULDBLOCK else { return false }
    var awaited = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: event), revents: 0)
    let milliseconds = silence.map { Int32(clamping: Int64($0 / .milliseconds(1))) } ?? -1
    let ready = unsafe poll(&awaited, 1, milliseconds)
    guard ready != 0 else {
      throw FileFailure("nothing passes through it for \(milliseconds / 1000) s")
    }
    return ready > 0 || errno == EINTR
  }

  /// Waits until there is something to read here, or `other` has; returns whether `other` has.
  package func isOvertaken(by other: Int32) -> Bool {
    var awaited = [
      pollfd(fd: other, events: Int16(truncatingIfNeeded: POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: POLLIN), revents: 0),
    ]
    let count = nfds_t(awaited.count)
    while unsafe poll(&awaited, count, -1) < 0, errno == EINTR {}
    return awaited[0].revents != 0
  }

  /// Opens standard input, output and error where the parent closed them, so that no other file gets their numbers.
  /// They are open the wrong way round: to use one is an error.
  package static func occupyStandardStreams() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// Waits until the written octets are on disk.
  package func sync() throws(FileFailure) {
    guard fsync(descriptor) == 0 else { throw FileFailure(errno) }
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

/// The result of opening a file that must belong to this user and be writable by no other.
package enum OwnFile {
  case open(OpenFile)
  case missing
  /// The reason for which the file is rejected.
  case unsafe(String)
  case failed(FileFailure)

  /// Never waits: a FIFO is rejected, also one without a writer.
  package init(reading path: String) {
    do throws(FileFailure) {
      let file = try OpenFile(readingAtOnce: path)
      var status = stat()
      guard unsafe fstat(file.descriptor, &status) == 0 else { throw .last }
      self = Self.problem(status).map { .unsafe($0) } ?? .open(file)
    } catch {
      switch error.number {
      case ENOENT: self = .missing
      // Linux and Darwin return this for a symbolic link.
      case ELOOP: self = .unsafe("a symbolic link")
      // A socket.
      case ENXIO, EOPNOTSUPP: self = .unsafe("no regular file")
      default: self = .failed(error)
      }
    }
  }

  private static func problem(_ status: stat) -> String? {
    if status.st_mode & S_IFMT != S_IFREG { return "no regular file" }
    if status.st_uid != geteuid() { return "a file of another user" }
    let mode = status.st_mode & 0o777
    return mode & 0o022 != 0 ? "a file with mode " + String(mode, radix: 8) : nil
  }
}
