import CommandSupport
import Dispatch
import LocalFiles
import Octets
import Synchronization
import TokenBasics

/// Workers take batches of lines from it, and return them to be written in input order.
///
/// The number of batches is fixed, so neither a fast producer nor a slow consumer makes memory grow.
/// The worker with the oldest batch never waits for another, so there is no deadlock.
final class LineQueue: Sendable {
  private struct Input: Sendable {
    var reader: LineReader
    var count = 0
    var failure: FileFailure?
    var isAtEnd = false
  }

  private struct Output: Sendable {
    var written = 0
    var tally = Tally()
    /// Verified, and waiting for an earlier one.
    var waiting: [Int: LineBatch] = [:]
  }

  private let input: Mutex<Input>
  private let output = Mutex(Output())
  private let idle = Mutex<[LineBatch]>([])
  /// Counts the batches that are not in use.
  private let room: DispatchSemaphore

  private let hasNumbers: Bool
  private let file: String?
  private let progress: ProgressBar?

  /// - Parameters:
  ///   - hasNumbers: Whether records have line numbers.
  ///   - file: The name of the file in records.
  init(
    _ reader: LineReader, batchLimit: Int, hasNumbers: Bool, file: String?, progress: ProgressBar?
  ) {
    self.progress = progress
    self.hasNumbers = hasNumbers
    self.file = file
    input = Mutex(Input(reader: reader))
    room = DispatchSemaphore(value: batchLimit)
  }

  /// The next lines and their number; nil at the end.
  func next() -> (number: Int, batch: LineBatch)? {
    room.wait()
    let batch = idle.withLock { $0.popLast() } ?? LineBatch()
    let number = input.withLock { input -> Int? in
      guard !input.isAtEnd else { return nil }
      if hasNumbers { batch.origin = LineOrigin(line: input.reader.nextLine, file: file) }
      do throws(FileFailure) {
        input.isAtEnd = try !input.reader.next(&batch.input)
      } catch {
        input.failure = error
        input.isAtEnd = true
      }
      guard !input.isAtEnd else { return nil }
      defer { input.count += 1 }
      return input.count
    }
    guard let number else {
      giveBack(batch)
      return nil
    }
    return (number, batch)
  }

  /// Writes the batch, and those that waited for it, once all earlier ones are written.
  func hand(over batch: LineBatch, _ number: Int) {
    output.withLock { output in
      output.waiting[number] = batch
      while let ready = output.waiting.removeValue(forKey: output.written) {
        ready.writeOrEnd()
        output.written += 1
        output.tally.add(ready.tally)
        progress?.add(bytes: ready.input.count, tokens: ready.tally.tokens)
        giveBack(ready)
      }
    }
  }

  private func giveBack(_ batch: LineBatch) {
    idle.withLock { $0.append(batch) }
    room.signal()
  }

  /// The tokens that have their records, and why the rest of the input could not be read.
  func result() -> (Tally, FileFailure?) {
    (output.withLock { $0.tally }, input.withLock { $0.failure })
  }
}

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
