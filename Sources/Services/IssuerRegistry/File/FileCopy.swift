#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import LocalFiles

/// A copy of metadata in a file that only its owner may write.
///
/// The file begins with an extra line with the time at which the document was fetched: the date of a file
/// changes when it is copied or touched. A file without that line is rejected.
public struct FileCopy: MetadataCopy, Hashable {
  private let path: String

  private static let mark = "swift-federation metadata 1 fetched "
  private static let newline = UInt8(ascii: "\n")

  /// A copy in the file at `path`.
  /// - Parameter path: In a folder that only the service may write to.
  public init(path: String) { self.path = path }

  /// The document and the time of its fetch; nil if there is no file.
  /// - Throws: `registry.unsafe-file` for a symbolic link, for anything but a regular file, and for a file
  ///   that belongs to another user or that others may write; `registry.unreadable-file`.
  public func read() throws(TokenError) -> (document: [UInt8], fetchedAt: Instant)? {
    guard let octets = try octets() else { return nil }
    guard let end = octets.prefix(Self.longestLine).firstIndex(of: Self.newline),
      octets.starts(with: Self.mark.utf8),
      let time = String(validating: octets[Self.mark.utf8.count..<end], as: UTF8.self),
      let fetchedAt = try? Instant(dateTime: time)
    else {
      throw TokenError(
        .registryUnreadableFile, node: path, expected: "a copy that says when it was fetched")
    }
    return (Array(octets[(end + 1)...]), fetchedAt)
  }

  /// Writes under another name first and renames, so that a reader finds either the old or the new copy.
  ///
  /// - Throws: `registry.unwritable-file`.
  public func write(_ document: [UInt8], fetchedAt: Instant) throws(TokenError) {
    let line = Array((Self.mark + fetchedAt.withMilliseconds).utf8) + [Self.newline]
    do throws(FileFailure) {
      try AtomicFile(path: path).replace(with: line + document, draft: ".\(getpid())")
    } catch {
      throw error.error(
        .registryUnwritableFile, path, expected: "a folder that can be written to")
    }
  }

  private static let longestLine = 100

  /// The content, or nil when there is no file.
  private func octets() throws(TokenError) -> [UInt8]? {
    let file: OpenFile
    switch OwnFile(reading: path) {
    case .missing: return nil
    case .unsafe(let found):
      throw TokenError(
        .registryUnsafeFile, node: path,
        expected: "a regular file of this user that nobody else may write", found: found)
    case .failed(let failure): throw failure.error(.registryUnreadableFile, path)
    case .open(let opened): file = opened
    }
    let limit = MetadataSource.aggregateLimit + Self.longestLine
    let octets: [UInt8]
    do throws(FileFailure) {
      octets = try file.readAll(limit: limit)
    } catch {
      throw error.error(.registryUnreadableFile, path)
    }
    guard octets.count <= limit else {
      throw TokenError(.registryUnreadableFile, node: path, expected: "at most \(limit) bytes")
    }
    return octets
  }
}
