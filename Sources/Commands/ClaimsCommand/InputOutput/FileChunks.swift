import CommandSupport
import LocalFiles

/// A file piece by piece.
struct FileChunks {
  private let file: OpenFile

  /// The file at `path`; `-` is standard input.
  init(_ path: String) throws(FileFailure) {
    file = try path == "-" ? StandardInput.file : OpenFile(reading: path)
  }

  /// The next piece, empty at the end.
  func next() throws(FileFailure) -> [UInt8] {
    var chunk: [UInt8] = []
    _ = try file.read(65_536, into: &chunk)
    return chunk
  }
}
