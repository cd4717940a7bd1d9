import CommandSupport
import LocalFiles
import SecurityKeys

/// A file of the configuration, piece by piece. A log records the state in which it was read.
struct ConfigurationFile {
  private let path: String
  private let log: FileLog?
  private let file: OpenFile?
  /// The content of standard input or a pipe that was read before; then there is no file.
  private var kept: [UInt8] = []
  /// Nil for input that cannot be read twice.
  private var mark: ContentMark? = ContentMark()

  /// The file at `path`; `-` is standard input.
  init(_ path: String, log: FileLog?) throws(FileFailure) {
    self.path = path
    self.log = log
    if let kept = log?.kept(path) {
      self.kept = kept
      file = nil
      return
    }
    do throws(FileFailure) {
      if log?.isBusy(path) == true { throw FileFailure("it is being written all the time") }
      let file = try path == "-" ? StandardInput.file : OpenFile(reading: path)
      ReadFiles.note(file)
      self.file = file
      if path == "-" || file.status == nil { mark = nil }
      if mark != nil { log?.begin(path, FileIdentity(descriptor: file.descriptor)) }
    } catch {
      log?.begin(path, nil)
      throw error
    }
  }

  /// The next piece, empty at the end.
  mutating func next() throws(FileFailure) -> [UInt8] {
    guard let file else {
      defer { kept = [] }
      return kept
    }
    var chunk: [UInt8] = []
    _ = try file.read(65_536, into: &chunk)
    guard let log else { return chunk }
    if mark == nil {
      if chunk.isEmpty { log.keep(path, kept) } else { kept += chunk }
    } else if chunk.isEmpty {
      log.end(path, FileIdentity(descriptor: file.descriptor), mark)
    } else {
      mark?.add(chunk)
    }
    return chunk
  }
}

/// Identifies the content of a file.
struct ContentMark: Hashable, Sendable {
  private var digest: [UInt8] = []

  mutating func add(_ chunk: [UInt8]) {
    let own = DigestAlgorithm.sha256.digest(of: chunk) ?? chunk
    digest = DigestAlgorithm.sha256.digest(of: digest + own) ?? digest + own
  }
}
