import LocalFiles

/// The file and stream access of this command.
enum File {
  /// The content of a file; `-` is standard input.
  /// - Throws: exit code 3.
  static func read(_ path: String, limit: Int = 16 << 20) throws(CommandFailure) -> [UInt8] {
    let octets: [UInt8]
    do throws(FileFailure) {
      let file = try path == "-" ? OpenFile.standardInput : OpenFile(reading: path)
      octets = try file.readAll(limit: limit)
    } catch {
      throw CommandFailure(.inputOutput, error.sentence(reading: path))
    }
    guard octets.count <= limit else {
      throw CommandFailure(
        .inputOutput, "cannot read \(ShownPath.of(path)): more than \(limit) bytes")
    }
    return octets
  }
}
