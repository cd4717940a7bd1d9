#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import TokenErrors

/// A file that is replaced as a whole: a reader, also one after a crash, sees the old or the new content.
///
/// Who reads in order to write holds the lock, which is a file of its own beside it: the file itself is
/// another one after each writing.
struct AtomicFile: Sendable {
  let path: String
  /// 16 MiB.
  static let limit = 1 << 24

  /// Runs `body` while nobody else on this machine does.
  func locked<Value>(_ body: () throws(TokenError) -> Value) throws(TokenError) -> Value {
    let lock = try Descriptor(path + ".lock", O_RDWR | O_CREAT)
    try lock.lock(path)
    return try body()
  }

  /// The content, or nil when there is no file.
  func read() throws(TokenError) -> [UInt8]? {
    guard unsafe access(path, F_OK) == 0 || errno != ENOENT else { return nil }
    return try Descriptor(path, O_RDONLY).readAll(path, limit: Self.limit)
  }

  /// Writes beside the file with mode 0600, waits for the disk, and puts it in place.
  func replace(with octets: [UInt8]) throws(TokenError) {
    let draft = path + ".new"
    // What a killed process left, or a link that somebody planted.
    _ = unsafe unlink(draft)
    try Descriptor(draft, O_WRONLY | O_CREAT | O_EXCL).writeAll(octets, draft)
    guard unsafe rename(draft, path) == 0 else { throw Descriptor.error(path) }
    try Descriptor(folder, O_RDONLY).sync(folder)
  }

  /// Gives the file a name under which it is kept and nothing overwrites it.
  /// - Returns: That name.
  func keepAside() throws(TokenError) -> String {
    for number in 1...1000 {
      let aside = path + ".damaged-\(number)"
      // Unlike rename, link refuses a name that is taken.
      if unsafe link(path, aside) == 0 {
        guard unsafe unlink(path) == 0 else { throw Descriptor.error(path) }
        return aside
      }
      guard errno == EEXIST else { throw Descriptor.error(aside) }
    }
    throw TokenError(
      .sessionStoreFile, node: path + ".damaged-1000", found: "too many damaged files")
  }

  private var folder: String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
