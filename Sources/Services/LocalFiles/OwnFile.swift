#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

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
