/// A file piece by piece.
struct FileChunks {
  private let file: File

  /// The file at `path`; `-` is standard input.
  init(_ path: String) throws(File.Failure) {
    file = try path == "-" ? File.standardInput : File(reading: path)
  }

  /// The next piece, empty at the end.
  func next() throws(File.Failure) -> [UInt8] {
    var chunk: [UInt8] = []
    _ = try file.read(65_536, into: &chunk)
    return chunk
  }
}
