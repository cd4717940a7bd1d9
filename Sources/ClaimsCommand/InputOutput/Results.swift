import LocalFiles
import Synchronization

/// Standard output: data only.
enum Results {
  /// How many writes have ended, so that a reader that never reads shows.
  static var writeCount: Int { finishedWrites.load(ordering: .relaxed) }
  private static let finishedWrites = Atomic<Int>(0)

  /// Writes a record. A closed reader ends the command quietly, but with a failure's exit code.
  static func write(_ bytes: [UInt8]) throws(CommandFailure) {
    try write { () throws(FileFailure) in try OpenFile.standardOutput.write(bytes.span) }
  }

  /// Writes the records of a batch.
  static func write(_ batch: LineBatch) throws(CommandFailure) {
    try write { () throws(FileFailure) in
      try batch.withOutput { bytes throws(FileFailure) in
        try OpenFile.standardOutput.write(bytes)
      }
    }
  }

  private static func write(
    _ body: () throws(FileFailure) -> Void
  ) throws(CommandFailure) {
    do {
      try body()
      finishedWrites.add(1, ordering: .relaxed)
    } catch {
      if error.isClosedPipe { Process.exit(.inputOutput) }
      throw CommandFailure(.inputOutput, "cannot write the output: \(error.text)")
    }
  }

  /// Writes a record; output that cannot be written ends the command.
  static func writeOrEnd(_ bytes: [UInt8]) {
    do {
      try write(bytes)
    } catch {
      StandardError.error(error)
      Process.exit(error.exitCode)
    }
  }
}
