#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
package import TokenBasics

/// Distinguishes one state of a file from the next without reading it.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64
  private let size: Int64
  /// The time of the last change of the content.
  package let modified: Instant
  private let changed: Instant

  /// Device and inode, which a file has by whatever name, and keeps when its content changes.
  package var place: [UInt64] { [device, inode] }

  /// The identity of an open file; nil for an invalid descriptor.
  package init?(descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The identity of the file at a path; nil if there is none.
  package init?(path: String) {
    var status = stat()
    guard !path.utf8.contains(0), unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    size = Int64(status.st_size)
    #if canImport(Darwin)
      modified = Self.instant(status.st_mtimespec)
      changed = Self.instant(status.st_ctimespec)
    #else
      modified = Self.instant(status.st_mtim)
      changed = Self.instant(status.st_ctim)
    #endif
  }

  /// Whether the last change is so old that the next one gets another time, however coarse the file
  /// system's clock. Before that, only the content shows a change.
  package var isSettled: Bool {
    let now = SystemTime().now
    return changed.advanced(bySeconds: 2) < now && modified.advanced(bySeconds: 2) < now
  }

  /// Whether the content was changed less than 0.1 s ago, so that its writer may not have finished.
  package var isFresh: Bool {
    let now = SystemTime().now
    let nanoseconds = now.nanoseconds - modified.nanoseconds
    switch now.seconds - modified.seconds {
    case 0: return (0..<100_000_000).contains(nanoseconds)
    case 1: return nanoseconds < 100_000_000 - 1_000_000_000
    default: return false
    }
  }

  private static func instant(_ time: timespec) -> Instant {
    Instant(
      secondsSinceEpoch: Int64(time.tv_sec), nanoseconds: Int32(truncatingIfNeeded: time.tv_nsec))
  }
}
