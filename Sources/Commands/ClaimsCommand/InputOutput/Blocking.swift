import Dispatch
import Synchronization

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
