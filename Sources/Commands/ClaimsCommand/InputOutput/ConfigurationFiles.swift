import Federation
import LocalFiles

/// Key and trust files on disk, relative to a folder.
struct ConfigurationFiles: RememberingFileSource {
  /// The base folder of relative paths.
  private let folder: FileFolder
  /// Records what was read; nil where that is not needed.
  let log: FileLog?

  var lastGood: LastGoodFiles? { log?.lastGood }

  init(folder: FileFolder = FileFolder(), log: FileLog? = nil) {
    self.folder = folder
    self.log = log
  }

  /// Files named by the file at `path`.
  init(besides path: String, log: FileLog?) {
    self.init(folder: FileFolder(of: path), log: log)
  }

  /// - Throws: `input.file`; `key.unreadable` for a file that is longer than any key or trust file.
  func read(_ path: String) throws(TokenError) -> [UInt8] {
    let full = folder.located(path)
    var bytes: [UInt8] = []
    do throws(FileFailure) {
      var file = try ConfigurationFile(full, log: log)
      while bytes.count <= Limits.hardByteLimit {
        let chunk = try file.next()
        guard !chunk.isEmpty else { return bytes }
        bytes += chunk
      }
    } catch {
      throw error.error(.unreadableFile, full, expected: "a readable file")
    }
    throw TokenError(
      .unreadableKey, node: ShownPath.of(full),
      expected: "at most \(Limits.hardByteLimit) bytes", found: "more",
      hint: "no key or trust file is that large: name another one")
  }

  func forEachChunk(
    of path: String, _ body: ([UInt8]) throws(TokenError) -> Void
  ) throws(TokenError) {
    let full = folder.located(path)
    var file: ConfigurationFile
    do {
      file = try ConfigurationFile(full, log: log)
    } catch {
      throw unusable(full, error)
    }
    while true {
      let chunk: [UInt8]
      do {
        chunk = try file.next()
      } catch {
        throw unusable(full, error)
      }
      guard !chunk.isEmpty else { return }
      try body(chunk)
    }
  }

  private func unusable(_ path: String, _ failure: FileFailure) -> TokenError {
    failure.error(.unreadableFile, path, expected: "a readable file")
  }
}
