import CommandSupport
import Instants
import LocalFiles
import Octets

/// Lines that one worker verifies, and their records. Used by one task at a time and reused for later
/// lines, so that its memory is allocated once.
final class LineBatch: @unchecked Sendable {
  var input: [UInt8] = []
  /// Of the first line, as far as records say it.
  var origin = LineOrigin()
  private(set) var tally = Tally()
  private var json = JSONWriter(capacity: 512 << 10)

  /// Verifies the lines.
  func process(with verifier: TokenVerifier, at now: Instant) {
    tally = Self.process(input, origin, with: verifier, at: now, &json)
  }

  /// Writes the records to standard output; output that cannot be written ends the command.
  func writeOrEnd() {
    do throws(CommandFailure) {
      try json.withBytes { bytes throws(CommandFailure) in try Results.write(bytes) }
    } catch {
      CommandMessages.own.end(error)
    }
  }

  // The loop's state is passed in once, not loaded from an object at every iteration.
  private static func process(
    _ bytes: [UInt8], _ first: LineOrigin, with verifier: TokenVerifier, at now: Instant,
    _ json: inout JSONWriter
  ) -> Tally {
    var origin = first
    json.removeAll()
    var tally = Tally()
    var start = 0
    while start < bytes.count {
      let end = bytes.firstIndex(of: ASCII.lineFeed, from: start) ?? bytes.count
      let hasReturn = end > start && bytes[end - 1] == ASCII.carriageReturn
      let line = bytes[start..<(hasReturn ? end - 1 : end)]
      tally.count(verifier.verifyLine(line, at: now, origin: origin, to: &json))
      if let line = origin.line { origin.line = line + 1 }
      start = end + 1
    }
    return tally
  }
}
