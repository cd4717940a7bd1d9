/// One whole document from a file or standard input.
enum DocumentInput {
  static func read(_ path: String, limit: Int) throws(CommandFailure) -> [UInt8] {
    do throws(File.Failure) {
      let file = try path == "-" ? File.standardInput : File(reading: path)
      return try file.readAll(limit: limit)
    } catch {
      throw CommandFailure(.inputOutput, "cannot read \(path): \(error.text)")
    }
  }
}
