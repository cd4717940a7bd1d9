#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file that is replaced as a whole: a reader, also one after a crash, sees the old or the new content.
///
/// Who reads in order to write holds the lock, which is a file of its own beside it: the file itself is
/// another one after each writing.
package struct AtomicFile: Sendable {
  package let path: String

  package init(path: String) { self.path = path }

  /// Waits until nobody else on this machine has the lock; nil when that takes longer than `patience`.
  package func lock(for patience: Duration) throws(FileFailure) -> OpenFile? {
    try OpenFile(locking: path + ".lock", for: patience)
  }

  /// The content, or nil when the folder has no such file. Never waits: what is no regular file is refused. See
  /// ``OpenFile/readAll(limit:)``.
  package func read(limit: Int) throws(FileFailure) -> [UInt8]? {
    guard unsafe access(path, F_OK) == 0 || errno != ENOENT else {
      guard unsafe access(folder, F_OK) == 0 else { throw FileFailure.last }
      return nil
    }
    let file = try OpenFile(readingAtOnce: path)
    guard file.status != nil else { throw FileFailure("no regular file") }
    return try file.readAll(limit: limit)
  }

  /// Writes beside the file with mode 0600, waits for the disk, and puts it in place.
  ///
  /// - Parameter draft: What is added to the name of the draft. Who has no lock gives one of its own.
  package func replace(with octets: [UInt8], draft suffix: String = ".new") throws(FileFailure) {
    let draft = path + suffix
    // What a killed process left, or a link that somebody planted.
    _ = unsafe unlink(draft)
    do throws(FileFailure) {
      let file = try OpenFile(creating: draft)
      try file.write(octets)
      try file.sync()
      guard unsafe rename(draft, path) == 0 else { throw FileFailure.last }
    } catch {
      _ = unsafe unlink(draft)
      throw error
    }
    try OpenFile(reading: folder).sync()
  }

  /// Writes as ``replace(with:draft:)`` does, unless there is a file: then that one stays.
  package func create(with octets: [UInt8], draft suffix: String) throws(FileFailure) {
    let draft = path + suffix
    let file = try OpenFile(creating: draft)
    defer { _ = unsafe unlink(draft) }
    try file.write(octets)
    try file.sync()
    // Unlike rename, link refuses a name that is taken.
    guard unsafe link(draft, path) == 0 || errno == EEXIST else { throw FileFailure.last }
    try OpenFile(reading: folder).sync()
  }

  /// Gives the file a name under which it is kept and nothing overwrites it; answers that name.
  package func keepAside() throws(FileFailure) -> String {
    for number in 1...1000 {
      let aside = path + ".damaged-\(number)"
      // Unlike rename, link refuses a name that is taken.
      if unsafe link(path, aside) == 0 {
        guard unsafe unlink(path) == 0 else { throw FileFailure.last }
        return aside
      }
      guard errno == EEXIST else { throw FileFailure.last }
    }
    throw FileFailure(EEXIST)
  }

  private var folder: String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
