import LocalFiles

/// One whole file that the command writes.
enum DocumentOutput {
  static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
    do throws(FileFailure) {
      try OpenFile(writing: path).write(bytes)
    } catch {
      throw CommandFailure(.inputOutput, "cannot write \(path): \(error.text)")
    }
  }
}
