import CommandSupport
import LocalFiles
import Octets

/// One whole file that the command writes.
enum DocumentOutput {
  static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
    try ReadFiles.refuse(output: path)
    do throws(FileFailure) {
      try OpenFile(writing: path).write(bytes)
    } catch {
      throw CommandFailure(.inputOutput, error.sentence("write", path))
    }
  }

  /// Writes a file that only its owner may read, as a whole: a reader sees the old content or the new. What is no
  /// file, such as a pipe or a link, is written to instead.
  static func replace(with bytes: [UInt8], at path: String) throws(CommandFailure) {
    try ReadFiles.refuse(output: path)
    guard AtomicFile(path: path).isReplaceable else { return try write(bytes, to: path) }
    do throws(FileFailure) {
      let suffix = ".\(Hex.encode(SystemRandom.octets(8)))"
      try AtomicFile(path: path).replace(with: bytes, draft: suffix)
    } catch {
      throw CommandFailure(.inputOutput, error.sentence("write", path))
    }
  }
}
