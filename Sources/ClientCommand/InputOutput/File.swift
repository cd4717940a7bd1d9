import LocalFiles

/// Files and streams, as far as this command needs them.
enum File {
  /// The whole of a file; `-` is standard input.
  /// - Throws: exit code 3.
  static func read(_ path: String, limit: Int = 16 << 20) throws(CommandFailure) -> [UInt8] {
    let octets: [UInt8]
    do throws(FileFailure) {
      let file = try path == "-" ? OpenFile.standardInput : OpenFile(reading: path)
      octets = try file.readAll(limit: limit)
    } catch {
      throw CommandFailure(.inputOutput, "cannot read \(path): \(error.text)")
    }
    guard octets.count <= limit else {
      throw CommandFailure(.inputOutput, "cannot read \(path): more than \(limit) bytes")
    }
    return octets
  }
}
