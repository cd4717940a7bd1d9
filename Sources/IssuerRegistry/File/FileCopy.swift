#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import LocalFiles

/// A copy of metadata in a file that its owner alone may read and write.
public struct FileCopy: MetadataCopy {
  private let path: String

  /// - Parameter path: In a folder that only the service may write to.
  public init(path: String) { self.path = path }

  public func read() throws(TokenError) -> (document: [UInt8], writtenAt: Instant)? {
    guard FileIdentity(path: path) != nil else { return nil }
    let (bytes, identity) = try StableFile.read(path, limit: Limits.hardByteLimit)
    return (bytes, identity.modified)
  }

  /// Under another name first: who reads at any moment finds the old copy or the new one, whole.
  public func write(_ document: [UInt8]) throws(TokenError) {
    do throws(FileFailure) {
      try AtomicFile(path: path).replace(with: document, draft: ".\(getpid())")
    } catch {
      throw error.error(
        .registryUnwritableFile, path, expected: "a folder that can be written to")
    }
  }
}
