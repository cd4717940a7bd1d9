import Octets
import StrictJSON
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

  private struct BatchResult: Sendable {
    let number: Int
    let output: [UInt8]
    let rejected: Int
  }

  func run(_ paths: [String]) async throws -> Outcome {
    var outcome = Outcome()
    for path in paths {
      do throws(File.Failure) {
        let file = try path == "-" ? File.standardInput : File(reading: path)
        var reader = LineReader(file, lineLimit: Limits.hardByteLimit)
        let rejected = try await jobs == 1 ? inline(&reader) : concurrent(&reader)
        outcome.rejected += rejected
      } catch {
        Talk.error(CommandFailure(.inputOutput, "cannot read \(path): \(error.text)"))
        outcome.allRead = false
      }
    }
    return outcome
  }

  private func inline(_ reader: inout LineReader) throws(File.Failure) -> Int {
    var rejected = 0
    while let batch = try reader.next() {
      let result = process(batch, number: 0)
      rejected += result.rejected
      write(result)
    }
    return rejected
  }

  private func concurrent(_ reader: inout LineReader) async throws(File.Failure) -> Int {
    var local = reader
    defer { reader = local }
    var failure: File.Failure?
    let rejected = await withTaskGroup(of: BatchResult.self) { group in
      var rejected = 0
      var started = 0
      var finished = 0
      var waiting: [Int: BatchResult] = [:]
      func drain(until limit: Int) async {
        while started - finished > limit {
          if let ready = waiting.removeValue(forKey: finished) {
            write(ready)
            rejected += ready.rejected
            finished += 1
          } else if let result = await group.next() {
            waiting[result.number] = result
          }
        }
      }
      do throws(File.Failure) {
        while let batch = try local.next() {
          let number = started
          group.addTask { process(batch, number: number) }
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

  private func process(_ batch: LineReader.Batch, number: Int) -> BatchResult {
    var json = JSONWriter(capacity: 64 << 10)
    var rejected = 0
    let bytes = batch.bytes
    var start = 0
    while start < bytes.count {
      let end = bytes.firstIndex(of: ASCII.lineFeed, from: start) ?? bytes.count
      var line = bytes[start..<end]
      if line.last == ASCII.carriageReturn { line.removeLast() }
      if !verifier.verifyLine(line, to: &json) { rejected += 1 }
      start = end + 1
    }
    return BatchResult(number: number, output: json.bytes, rejected: rejected)
  }

  private func write(_ result: BatchResult) {
    do {
      try Results.write(result.output)
    } catch {
      Talk.error(error)
      Process.exit(.inputOutput)
    }
  }
}
