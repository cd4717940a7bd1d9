import TokenErrors

/// Lets one flow run at a time; the others wait in line, each with the scope that it is after.
struct Turns {
  typealias Turn = CheckedContinuation<Result<Void, TokenError>, Never>

  private(set) var isTaken = false
  private var line: [(scope: String, turn: Turn)] = []

  mutating func take() { isTaken = true }

  mutating func wait(for scope: String, _ turn: Turn) { line.append((scope, turn)) }

  /// Ends a turn and hands it to the next in line. Those who would only meet the same end meet it now:
  /// after a cancellation everybody, after a failed check all that are after the same scope.
  mutating func end(_ scope: String, _ error: TokenError?) {
    if let error, error.code == .sessionCancelled || error.code == .clientSecurityCheck {
      let everybody = error.code == .sessionCancelled
      for (waiting, turn) in line where everybody || waiting == scope {
        turn.resume(returning: .failure(error))
      }
      line.removeAll { everybody || $0.scope == scope }
    }
    guard !line.isEmpty else {
      isTaken = false
      return
    }
    line.removeFirst().turn.resume(returning: .success(()))
  }
}
