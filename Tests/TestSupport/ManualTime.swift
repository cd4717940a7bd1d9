public import Federation
import Synchronization

/// A clock that only a test advances.
public final class ManualTime: TimeSource {
  private struct State {
    var now: Instant
    var next = 0
    var waiters: [Int: (until: Instant, continuation: CheckedContinuation<Void, Never>)] = [:]
  }
  private let state: Mutex<State>

  /// By default 2030-01-01T12:00:00Z, when the test vectors are valid.
  public init(_ now: Instant = Instant(secondsSinceEpoch: 1_893_499_200)) {
    state = Mutex(State(now: now))
  }

  public var now: Instant { state.withLock { $0.now } }

  /// The number of waiting tasks.
  public var waiting: Int { state.withLock { $0.waiters.count } }

  /// Advances the clock and resumes the tasks whose time has come.
  public func advance(bySeconds seconds: Int64) { set(now.advanced(bySeconds: seconds)) }

  /// Sets the clock and resumes the tasks whose time has come.
  public func set(_ instant: Instant) {
    let due = state.withLock { state in
      state.now = instant
      let due = state.waiters.filter { $0.value.until <= state.now }
      for number in due.keys { state.waiters[number] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in due { continuation.resume() }
  }

  public func wait(_ duration: Duration) async {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          let until = Self.end(of: duration, from: state.now)
          if Task.isCancelled || until <= state.now { return true }
          state.waiters[number] = (until, continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: number) }?.continuation.resume()
    }
  }

  private static func end(of duration: Duration, from now: Instant) -> Instant {
    let (seconds, attoseconds) = duration.components
    let nanoseconds = Int64(now.nanoseconds) + attoseconds / 1_000_000_000
    return Instant(
      secondsSinceEpoch: now.seconds + seconds + nanoseconds / 1_000_000_000,
      nanoseconds: Int32(nanoseconds % 1_000_000_000))
  }

  /// Advances the clock by `seconds` whenever a task waits, while `body` runs.
  public func hurrying<Value: Sendable>(
    by seconds: Int64 = 1, _ body: @Sendable () async throws -> Value
  ) async rethrows -> Value {
    let hurry = Task {
      while !Task.isCancelled {
        if waiting > 0 { advance(bySeconds: seconds) }
        await Task.yield()
      }
    }
    defer { hurry.cancel() }
    return try await body()
  }
}
