import LocalFiles
import TokenErrors

/// Verifies tokens line by line: one reader, several workers, results in input order.
///
/// At most two batches a worker are under way; the reader waits for the oldest before it goes on, so
/// neither a fast producer nor a slow consumer makes memory grow.
struct LinePipeline: Sendable {
  let verifier: TokenVerifier
  let jobs: Int

  struct Outcome {
    var rejected = 0
    var allRead = true
  }

  private struct Finished: Sendable {
    let number: Int
    let batch: LineBatch
  }

  func run(_ paths: [String]) throws -> Outcome {
    var outcome = Outcome()
    for path in paths {
      do throws(FileFailure) {
        let file = try path == "-" ? OpenFile.standardInput : OpenFile(reading: path)
        let reader = LineReader(file, lineLimit: Limits.hardByteLimit)
        outcome.rejected += try jobs == 1 ? inline(reader) : concurrent(reader)
      } catch {
        Talk.error(CommandFailure(.inputOutput, "cannot read \(path): \(error.text)"))
        outcome.allRead = false
      }
    }
    return outcome
  }

  private func inline(_ reader: LineReader) throws(FileFailure) -> Int {
    var reader = reader
    var rejected = 0
    let batch = LineBatch()
    while try reader.next(&batch.input) {
      batch.process(with: verifier)
      rejected += batch.rejected
      write(batch)
    }
    return rejected
  }

  private func concurrent(_ reader: LineReader) throws(FileFailure) -> Int {
    try Blocking.run { () async throws(FileFailure) in try await onWorkers(reader) }
  }

  private func onWorkers(_ reader: LineReader) async throws(FileFailure) -> Int {
    var reader = reader
    var failure: FileFailure?
    let rejected = await withTaskGroup(of: Finished.self) { group in
      var rejected = 0
      var started = 0
      var written = 0
      var waiting: [Int: LineBatch] = [:]
      var idle: [LineBatch] = []
      func drain(until limit: Int) async {
        while started - written > limit {
          if let ready = waiting.removeValue(forKey: written) {
            write(ready)
            rejected += ready.rejected
            idle.append(ready)
            written += 1
          } else if let result = await group.next() {
            waiting[result.number] = result.batch
          }
        }
      }
      do throws(FileFailure) {
        while true {
          let batch = idle.popLast() ?? LineBatch()
          guard try reader.next(&batch.input) else { break }
          let number = started
          group.addTask {
            batch.process(with: verifier)
            return Finished(number: number, batch: batch)
          }
          started += 1
          await drain(until: jobs * 2)
        }
      } catch {
        failure = error
      }
      await drain(until: 0)
      return rejected
    }
    if let failure { throw failure }
    return rejected
  }

  private func write(_ batch: LineBatch) {
    do {
      try Results.write(batch)
    } catch {
      Talk.error(error)
      Process.exit(.inputOutput)
    }
  }
}
