import LocalFiles
import Synchronization

/// Standard output: data only. A closed reader ends the command quietly, but with a failure's exit code.
package enum Results {
  /// How many writes have ended, so that a reader that never reads shows.
  package static var writeCount: Int { finishedWrites.load(ordering: .relaxed) }
  private static let finishedWrites = Atomic<Int>(0)

  /// Writes octets as they are.
  ///
  /// - Throws: exit status 3.
  package static func write(_ octets: Span<UInt8>) throws(CommandFailure) {
    do throws(FileFailure) {
      try OpenFile.standardOutput.write(octets)
      finishedWrites.add(1, ordering: .relaxed)
    } catch {
      if error.isClosedPipe { ExitStatus.inputOutput.exit() }
      throw CommandFailure(.inputOutput, "cannot write the output: \(error.text)")
    }
  }

  /// Writes octets as they are.
  package static func write(_ octets: [UInt8]) throws(CommandFailure) { try write(octets.span) }

  /// Writes octets and a line feed.
  package static func write(line octets: [UInt8]) throws(CommandFailure) {
    try write(octets + [0x0A])
  }

  /// Writes a text and a line feed.
  package static func write(line text: String) throws(CommandFailure) {
    try write(line: Array(text.utf8))
  }
}
