import TokenErrors

/// Runs one flow at a time; the others wait in a queue, each with the scope that it requests.
struct FlowQueue {
  typealias Turn = CheckedContinuation<Result<Void, TokenError>, Never>

  private(set) var isTaken = false
  private var line: [(scope: String, turn: Turn)] = []

  mutating func take() { isTaken = true }

  mutating func wait(for scope: String, _ turn: Turn) { line.append((scope, turn)) }

  /// Ends a flow and resumes the next one. Waiting flows that could only fail the same way fail now:
  /// all of them after a cancellation, those with the same scope after a failed check.
  mutating func end(_ scope: String, _ error: TokenError?) {
    if let error, error.code == .sessionCancelled || error.code == .clientSecurityCheck {
      let isForAll = error.code == .sessionCancelled
      for (waiting, turn) in line where isForAll || waiting == scope {
        turn.resume(returning: .failure(error))
      }
      line.removeAll { isForAll || $0.scope == scope }
    }
    guard !line.isEmpty else {
      isTaken = false
      return
    }
    line.removeFirst().turn.resume(returning: .success(()))
  }
}
