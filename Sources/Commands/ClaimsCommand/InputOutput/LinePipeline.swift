import CommandSupport
import Dispatch
import LocalFiles
import TokenBasics

/// Verifies tokens line by line: several workers, results in input order.
struct LinePipeline: Sendable {
  let verifier: CurrentVerifier
  let clock: RunClock
  let jobs: Int
  /// Whether records have the number of their line, and the file where there are several.
  let hasNumbers: Bool
  let termination: Termination?
  let progress: ProgressBar?

  struct Outcome {
    var tally = Tally()
    var allRead = true
  }

  func run(_ paths: [String]) -> Outcome {
    var outcome = Outcome()
    for path in paths where termination?.isAsked != true {
      do throws(FileFailure) {
        // A producer of lines may be silent for hours.
        let file =
          try path == "-" ? StandardInput.file : OpenFile(reading: path, silence: nil)
        let reader = LineReader(
          file, lineLimit: Limits.hardByteLimit, termination: termination)
        let name = hasNumbers && paths.count > 1 ? path : nil
        let (tally, failure) = jobs == 1 ? inline(reader, name) : concurrent(reader, name)
        outcome.tally.add(tally)
        if let failure { throw failure }
      } catch {
        CommandMessages.own.report(CommandFailure(.inputOutput, error.sentence(reading: path)))
        outcome.allRead = false
      }
    }
    return outcome
  }

  private func inline(_ reader: LineReader, _ file: String?) -> (Tally, FileFailure?) {
    var reader = reader
    var tally = Tally()
    let batch = LineBatch()
    var version = verifier.version()
    while true {
      if hasNumbers { batch.origin = LineOrigin(line: reader.nextLine, file: file) }
      do throws(FileFailure) {
        guard try reader.next(&batch.input) else { return (tally, nil) }
      } catch {
        return (tally, error)
      }
      process(batch, &version)
      batch.writeOrEnd()
      tally.add(batch.tally)
      progress?.add(bytes: batch.input.count, tokens: batch.tally.tokens)
    }
  }

  /// Each worker reads a batch, verifies it and queues it for output until the input ends. There are
  /// no other threads.
  private func concurrent(
    _ reader: LineReader, _ file: String?
  ) -> (Tally, FileFailure?) {
    let queue = LineQueue(
      reader, batchLimit: jobs * 2, hasNumbers: hasNumbers, file: file,
      progress: progress)
    DispatchQueue.concurrentPerform(iterations: jobs) { _ in
      var version = verifier.version()
      while let (number, batch) = queue.next() {
        process(batch, &version)
        queue.hand(over: batch, number)
      }
    }
    return queue.result()
  }

  /// After the lines are read, so that neither the trust nor the clock is older than they are.
  private func process(_ batch: LineBatch, _ version: inout CurrentVerifier.Version) {
    verifier.update(&version)
    batch.process(with: version.verifier, at: clock.now)
  }
}
