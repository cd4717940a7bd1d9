import FederationClient
import Synchronization

/// Answers challenges from a list and records the events in order.
final class ScriptedHandler: ChallengeHandler {
  private let state: Mutex<(answers: [ChallengeAnswer], heard: [String])>

  init(_ answers: ChallengeAnswer...) { state = Mutex((answers, [])) }

  var heard: [String] { state.withLock { $0.heard } }

  func note(_ text: String) { state.withLock { $0.heard.append(text) } }

  func handleChallenge(_ challenge: SecurityChallenge) async -> ChallengeAnswer {
    state.withLock { state in
      state.heard.append(
        "challenge \(challenge.securityCheck) \(challenge.errorMessage ?? "-") "
          + "\(challenge.remainingAttempts.map(String.init) ?? "-")")
      return state.answers.isEmpty ? .cancel : state.answers.removeFirst()
    }
  }

  func handleSuccess(_ success: SecurityCheckSuccess) async {
    note("success \(success.securityCheck) \(success.user?.displayName ?? "-")")
  }

  func handleFailure(_ failure: SecurityCheckFailure) async {
    note("failure \(failure.securityCheck) \(failure.reason ?? "-")")
  }
}
