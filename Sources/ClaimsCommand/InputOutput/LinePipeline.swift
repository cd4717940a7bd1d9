import Dispatch
import LocalFiles
import TokenErrors

/// Verifies tokens line by line: several workers, results in input order.
struct LinePipeline: Sendable {
  let verifier: CurrentVerifier
  let clock: RunClock
  let jobs: Int

  struct Outcome {
    var rejected = 0
    var allRead = true
  }

  func run(_ paths: [String]) throws -> Outcome {
    var outcome = Outcome()
    for path in paths {
      do throws(FileFailure) {
        let file = try path == "-" ? OpenFile.standardInput : OpenFile(reading: path)
        let reader = LineReader(file, lineLimit: Limits.hardByteLimit)
        outcome.rejected += try jobs == 1 ? inline(reader) : concurrent(reader)
      } catch {
        StandardError.error(CommandFailure(.inputOutput, "cannot read \(path): \(error.text)"))
        outcome.allRead = false
      }
    }
    return outcome
  }

  private func inline(_ reader: LineReader) throws(FileFailure) -> Int {
    var reader = reader
    var rejected = 0
    let batch = LineBatch()
    var version = verifier.version()
    while try reader.next(&batch.input) {
      process(batch, &version)
      rejected += batch.rejected
      batch.writeOrEnd()
    }
    return rejected
  }

  /// Each worker reads a batch, verifies it and queues it for output until the input ends. There are
  /// no other threads.
  private func concurrent(_ reader: LineReader) throws(FileFailure) -> Int {
    let queue = LineQueue(reader, batchLimit: jobs * 2)
    DispatchQueue.concurrentPerform(iterations: jobs) { _ in
      var version = verifier.version()
      while let (number, batch) = queue.next() {
        process(batch, &version)
        queue.hand(over: batch, number)
      }
    }
    return try queue.result()
  }

  /// After the lines are read, so that neither the trust nor the clock is older than they are.
  private func process(_ batch: LineBatch, _ version: inout CurrentVerifier.Version) {
    verifier.update(&version)
    batch.process(with: version.verifier, at: clock.now)
  }
}
