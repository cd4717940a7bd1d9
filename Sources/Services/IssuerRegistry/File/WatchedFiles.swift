import Federation
import LocalFiles
import SecurityKeys
import Synchronization

/// Reads files below a folder and records the state of each.
final class WatchedFiles: RememberingFileSource {
  private struct Seen: Equatable {
    /// Nil for a file that could not be read.
    let identity: FileIdentity?
    let digest: [UInt8]
  }

  private let folder: String
  private let seen = Mutex<[String: Seen]>([:])

  /// What the files last said when they could be read.
  let lastGood: LastGoodFiles?

  /// - Parameters:
  ///   - folder: The base of relative paths; empty for the current folder.
  ///   - lastGood: What the files last said.
  init(folder: String, lastGood: LastGoodFiles? = nil) {
    self.folder = folder
    self.lastGood = lastGood
  }

  func read(_ path: String) throws(TokenError) -> [UInt8] {
    let full = path.hasPrefix("/") ? path : folder + path
    do throws(TokenError) {
      let (bytes, identity) = try StableFile.read(full, limit: Self.limit)
      note(full, Seen(identity: identity, digest: DigestAlgorithm.sha256.digest(of: bytes) ?? []))
      return bytes
    } catch {
      note(full, Seen(identity: nil, digest: []))
      throw error
    }
  }

  private func note(_ path: String, _ seen: Seen) { self.seen.withLock { $0[path] = seen } }

  /// Whether any file has changed, or may have, since it was read.
  var mayHaveChanged: Bool {
    seen.withLock { seen in
      seen.contains { path, seen in
        guard let identity = seen.identity, identity.isSettled else { return true }
        return identity != FileIdentity(path: path)
      }
    }
  }

  /// Whether the same files with the same content were read, those aside whose last good content is in use.
  func hasSameContent(as other: WatchedFiles, besides kept: [LastGoodFiles.Kept]) -> Bool {
    func others(_ digests: [String: [UInt8]]) -> [String: [UInt8]] {
      digests.filter { path, _ in !kept.contains { $0.isFile(at: path) } }
    }
    return others(digests) == others(other.digests)
  }

  private var digests: [String: [UInt8]] { seen.withLock { $0.mapValues(\.digest) } }

  /// Bytes: 64 MiB. Metadata of a federation has tens of megabytes.
  private static let limit = 1 << 26
}

/// Reads a configuration file as a whole.
enum StableFile {
  /// The bytes and the identity of the file at the time of reading.
  ///
  /// - Throws: `registry.unreadable-file`, also if the file changes during each of three attempts.
  static func read(_ path: String, limit: Int) throws(TokenError) -> ([UInt8], FileIdentity) {
    for _ in 0..<3 {
      let (bytes, before, after) = try readOnce(path, limit)
      guard bytes.count <= limit else {
        throw TokenError(.registryUnreadableFile, node: path, expected: "at most \(limit) bytes")
      }
      if let before, before == after { return (bytes, before) }
    }
    throw TokenError(
      .registryUnreadableFile, node: path, expected: "a file that nobody is writing")
  }

  private static func readOnce(
    _ path: String, _ limit: Int
  ) throws(TokenError) -> ([UInt8], before: FileIdentity?, after: FileIdentity?) {
    do throws(FileFailure) {
      let file = try OpenFile(reading: path)
      let before = FileIdentity(descriptor: file.descriptor)
      let bytes = try file.readAll(limit: limit)
      return (bytes, before, FileIdentity(descriptor: file.descriptor))
    } catch {
      throw error.error(.registryUnreadableFile, path, expected: "a readable file")
    }
  }
}
