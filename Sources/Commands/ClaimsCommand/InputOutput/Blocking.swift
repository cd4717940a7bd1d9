import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Runs asynchronous work from a synchronous program.
enum Blocking {
  /// Runs `work` on other threads and waits for it. Only the main thread may wait.
  static func run<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () async throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let outcome = Outcome<Value, Failure>()
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
      do throws(Failure) {
        outcome.set(.success(try await work()))
      } catch {
        outcome.set(.failure(error))
      }
      isDone.signal()
    }
    while true {
      isDone.wait()
      if let result = outcome.result { return try result.get() }
    }
  }

  private final class Outcome<Value: Sendable, Failure: Error>: Sendable {
    private let stored = Mutex<Result<Value, Failure>?>(nil)

    var result: Result<Value, Failure>? { stored.withLock { $0 } }

    func set(_ value: Result<Value, Failure>) { stored.withLock { $0 = value } }
  }
}

/// Work on as many threads as there are cores.
enum Parallel {
  static var coreCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// The results of `transform` for each input, in the order of the inputs.
  static func map<Input: Sendable, Output: Sendable>(
    _ inputs: [Input], _ transform: @Sendable (Input) -> Output
  ) -> [Output] {
    let outputs = Mutex<[Output?]>(Array(repeating: nil, count: inputs.count))
    DispatchQueue.concurrentPerform(iterations: inputs.count) { place in
      let output = transform(inputs[place])
      outputs.withLock { $0[place] = output }
    }
    return outputs.withLock { $0.compactMap(\.self) }
  }
}
