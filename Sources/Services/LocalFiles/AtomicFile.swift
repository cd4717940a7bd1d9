#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file that is replaced as a whole: a reader, also one after a crash, sees the old or the new content.
///
/// A caller that reads in order to write must hold the lock. The lock is a separate file, since each write
/// replaces the file itself.
package struct AtomicFile: Sendable {
  package let path: String

  package init(path: String) { self.path = path }

  /// Whether there is a regular file, or nothing yet: a pipe, a device or a link is written to, not replaced.
  package var isReplaceable: Bool {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return errno == ENOENT }
    return status.st_mode & S_IFMT == S_IFREG
  }

  /// Waits for the lock; nil if another process or thread holds it for longer than `patience`.
  package func lock(for patience: Duration) throws(FileFailure) -> OpenFile? {
    try OpenFile(locking: path + ".lock", for: patience)
  }

  /// The content; nil if the folder has no such file. Never waits: anything but a regular file is rejected.
  /// See ``OpenFile/readAll(limit:)``.
  package func read(limit: Int) throws(FileFailure) -> [UInt8]? {
    guard unsafe access(path, F_OK) == 0 || errno != ENOENT else {
      guard unsafe access(folder, F_OK) == 0 else { throw FileFailure.last }
      return nil
    }
    let file = try OpenFile(readingAtOnce: path)
    guard file.status != nil else { throw FileFailure("no regular file") }
    return try file.readAll(limit: limit)
  }

  /// Writes a draft with mode 0600, syncs it to disk and renames it to the file.
  ///
  /// - Parameter draft: The suffix of the draft's name. Must be unique for a caller without the lock.
  package func replace(with octets: [UInt8], draft suffix: String = ".new") throws(FileFailure) {
    let draft = path + suffix
    // Left by a killed process, or a link planted by an attacker.
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

  /// Makes a draft and removes it: a file that cannot be replaced is told before there is a content to lose.
  package func tryDraft(_ suffix: String = ".new") throws(FileFailure) {
    let draft = path + suffix
    _ = unsafe unlink(draft)
    defer { _ = unsafe unlink(draft) }
    _ = try OpenFile(creating: draft)
    var status = stat()
    guard unsafe lstat(path, &status) != 0 || status.st_mode & S_IFMT != S_IFDIR else {
      throw FileFailure(EISDIR)
    }
  }

  /// Writes like ``replace(with:draft:)``, but leaves an existing file unchanged.
  package func create(with octets: [UInt8], draft suffix: String) throws(FileFailure) {
    let draft = path + suffix
    let file = try OpenFile(creating: draft)
    defer { _ = unsafe unlink(draft) }
    try file.write(octets)
    try file.sync()
    // Unlike rename, link fails for an existing name.
    guard unsafe link(draft, path) == 0 || errno == EEXIST else { throw FileFailure.last }
    try OpenFile(reading: folder).sync()
  }

  /// Renames the file to an unused name, under which it is not overwritten; returns that name.
  package func keepAside() throws(FileFailure) -> String {
    for number in 1...1000 {
      let aside = path + ".damaged-\(number)"
      // Unlike rename, link fails for an existing name.
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
