import LocalFiles

/// One whole document from a file or standard input.
enum DocumentInput {
  static func read(_ path: String, limit: Int) throws(CommandFailure) -> [UInt8] {
    do throws(FileFailure) {
      let file = try path == "-" ? OpenFile.standardInput : OpenFile(reading: path)
      return try file.readAll(limit: limit)
    } catch {
      throw CommandFailure(.inputOutput, error.sentence(reading: path))
    }
  }
}
