import Federation
import LocalFiles

/// Key and trust files on disk, relative to a folder.
struct ConfigurationFiles: FileSource {
  /// The folder that relative paths start from; empty for the current one.
  let folder: String

  init(folder: String = "") { self.folder = folder }

  /// Files named by the file at `path`.
  init(besides path: String) {
    let slash = path.lastIndex(of: "/")
    folder = slash.map { String(path[...$0]) } ?? ""
  }

  func read(_ path: String) throws(TokenError) -> [UInt8] {
    let full = path.hasPrefix("/") ? path : folder + path
    do {
      return try OpenFile(reading: full).readAll(limit: Limits.hardByteLimit)
    } catch {
      throw TokenError(.unreadableKey, node: full, expected: "a readable file", found: error.text)
    }
  }

  func forEachChunk(
    of path: String, _ body: ([UInt8]) throws(TokenError) -> Void
  ) throws(TokenError) {
    let full = path.hasPrefix("/") ? path : folder + path
    let chunks: FileChunks
    do {
      chunks = try FileChunks(full)
    } catch {
      throw unusable(full, error)
    }
    while true {
      let chunk: [UInt8]
      do {
        chunk = try chunks.next()
      } catch {
        throw unusable(full, error)
      }
      guard !chunk.isEmpty else { return }
      try body(chunk)
    }
  }

  private func unusable(_ path: String, _ failure: FileFailure) -> TokenError {
    TokenError(.trustFileReference, node: path, expected: "a readable file", found: failure.text)
  }
}
