import Synchronization
import TokenBasics

/// Admits the calls of one dependency: so many at once, so many in the queue, none while the server gives no answer.
final class CallGate: Sendable {
  private enum Admission {
    case admitted
    case refused(TokenError)
    case queued
  }

  private struct State {
    var report: DependencyReport
    var limits: DependencyLimits
    var queue: [(number: UInt64, continuation: CheckedContinuation<TokenError?, Never>)] = []
    var next: UInt64 = 0
    /// Consecutive calls without an answer.
    var unanswered = 0
    /// Until when calls are refused, by the monotonic clock; nil while the server answers.
    var pausedUntil: Duration?
  }

  private let dependency: Dependency
  private let total: CallTotal
  private let clock: any TimeSource
  private let state: Mutex<State>

  init(
    _ dependency: Dependency, _ limits: DependencyLimits, _ total: CallTotal,
    _ clock: any TimeSource
  ) {
    self.dependency = dependency
    self.total = total
    self.clock = clock
    state = Mutex(State(report: DependencyReport(dependency), limits: limits))
  }

  var limits: DependencyLimits { state.withLock { $0.limits } }

  func set(_ limits: DependencyLimits) { state.withLock { $0.limits = limits } }

  var report: DependencyReport {
    state.withLock { state in
      var report = state.report
      report.waiting = state.queue.count
      report.isPaused = state.pausedUntil != nil
      return report
    }
  }

  // MARK: Admission

  /// Returns once the call may begin; ``leave()`` has to follow.
  ///
  /// - Throws: `transport.busy`, `transport.paused`; `transport.timeout` for a call that waited for `limit`.
  func enter(upTo limit: Duration) async throws(TokenError) {
    switch admit() {
    case .admitted: return
    case .refused(let error): throw error
    case .queued: break
    }
    if let error = await wait(upTo: limit) { throw error }
  }

  private func admit() -> Admission {
    let uptime = clock.uptime
    return state.withLock { state in
      if let end = state.pausedUntil {
        guard end <= uptime else { return .refused(paused(state)) }
        // This call tries whether the server answers again, also while others hang; no further one does within the pause.
        guard total.take() else { return .refused(busy(state.limits)) }
        state.pausedUntil = uptime + DependencyLimits.pause
        state.report.running += 1
        return .admitted
      }
      guard state.report.running < state.limits.calls else {
        return state.queue.count < state.limits.queue ? .queued : .refused(busy(state.limits))
      }
      guard total.take() else { return .refused(busy(state.limits)) }
      state.report.running += 1
      return .admitted
    }
  }

  private func wait(upTo limit: Duration) async -> TokenError? {
    let number = state.withLock { state -> UInt64 in
      state.next += 1
      return state.next
    }
    let timer = Task { [clock] in
      await clock.wait(limit)
      end(number, with: TokenError(.transportTimeout, node: dependency.description))
    }
    defer { timer.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let error = state.withLock { state -> TokenError?? in
          if Task.isCancelled { return .some(TokenError(.transportCancelled)) }
          guard state.report.running >= state.limits.calls else {
            guard total.take() else { return .some(busy(state.limits)) }
            state.report.running += 1
            return .some(nil)
          }
          guard state.queue.count < state.limits.queue else { return .some(busy(state.limits)) }
          state.queue.append((number, continuation))
          return nil
        }
        if let error { continuation.resume(returning: error) }
      }
    } onCancel: {
      end(number, with: TokenError(.transportCancelled))
    }
  }

  /// Ends the wait of a call that is still in the queue.
  private func end(_ number: UInt64, with error: TokenError) {
    let waiter = state.withLock { state in
      state.queue.firstIndex { $0.number == number }.map { state.queue.remove(at: $0) }
    }
    waiter?.continuation.resume(returning: error)
  }

  /// Notes how a call ended, and admits the next one of the queue.
  func leave(_ outcome: CallOutcome, took seconds: Double) {
    let (now, uptime) = (clock.now, clock.uptime)
    let resumed = state.withLock {
      state -> [(CheckedContinuation<TokenError?, Never>, TokenError?)] in
      state.report.count(outcome.label, took: seconds)
      note(outcome, &state, now, uptime)
      if state.pausedUntil != nil {
        state.report.running -= 1
        total.give()
        let refused = state.queue.map { ($0.continuation, Optional(paused(state))) }
        state.queue = []
        return refused
      }
      guard !state.queue.isEmpty, state.report.running <= state.limits.calls else {
        state.report.running -= 1
        total.give()
        return []
      }
      // The next call takes the place of this one.
      return [(state.queue.removeFirst().continuation, nil)]
    }
    for (continuation, error) in resumed { continuation.resume(returning: error) }
  }

  private func note(
    _ outcome: CallOutcome, _ state: inout State, _ now: Instant, _ uptime: Duration
  ) {
    switch outcome {
    case .answered(let status) where status < 500:
      state.report.failures = 0
      state.report.since = nil
      state.report.lastFailure = ""
    case .failed(.transportCancelled): return
    case .answered, .failed:
      state.report.failures += 1
      state.report.since = state.report.since ?? now
      state.report.lastFailure = outcome.description
    }
    guard outcome.isUnanswered else {
      // Any answer is one, also an error of the server: it costs nobody time, and strangers can cause it.
      state.unanswered = 0
      state.pausedUntil = nil
      return
    }
    state.unanswered += 1
    if state.unanswered >= DependencyLimits.mostFailures {
      state.pausedUntil = uptime + DependencyLimits.pause
    }
  }

  private func busy(_ limits: DependencyLimits) -> TokenError {
    TokenError(
      .transportBusy, node: dependency.description,
      expected: "at most \(limits.calls) calls at once, and \(limits.queue) that wait")
  }

  private func paused(_ state: State) -> TokenError {
    TokenError(
      .transportPaused, node: dependency.description, expected: "an answer",
      found: "\(state.report.failures) failures in a row, the last of them "
        + state.report.lastFailure)
  }
}

/// How a call ended.
enum CallOutcome {
  case answered(status: Int)
  case failed(TokenError.Code)

  /// The outcome in metrics.
  var label: String {
    switch self {
    case .answered(let status): status >= 500 ? "5xx" : status >= 400 ? "4xx" : "ok"
    case .failed(let code): code.rawValue
    }
  }

  var description: String {
    switch self {
    case .answered(let status): "status \(status)"
    case .failed(let code): code.rawValue
    }
  }

  /// Whether the server gave no answer.
  var isUnanswered: Bool {
    guard case .failed(let code) = self else { return false }
    return [.transportNoConnection, .transportUnreachable, .transportTimeout].contains(code)
  }
}

/// The calls of all dependencies together, each of which has a descriptor.
final class CallTotal: Sendable {
  private let most: Int
  private let running = Mutex(0)

  init(most: Int) { self.most = most }

  func take() -> Bool {
    running.withLock { running in
      guard running < most else { return false }
      running += 1
      return true
    }
  }

  func give() { running.withLock { $0 -= 1 } }
}
