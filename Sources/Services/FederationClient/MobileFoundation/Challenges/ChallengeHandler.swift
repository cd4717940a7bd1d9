/// Answers the challenges of one security check and receives their results.
///
/// The client calls one method at a time, and always before the call that caused it returns. A handler
/// must not call the client from these methods: the client waits for them.
public protocol ChallengeHandler: Sendable {
  /// Answers a challenge. A wrong answer leads to another challenge, with
  /// ``SecurityChallenge/errorMessage``.
  func handleChallenge(_ challenge: SecurityChallenge) async -> ChallengeAnswer
  /// The check is satisfied.
  func handleSuccess(_ success: SecurityCheckSuccess) async
  /// The check rejects the user for good; the flow fails with `client.security-check`.
  func handleFailure(_ failure: SecurityCheckFailure) async
}

extension ChallengeHandler {
  /// Does nothing.
  public func handleSuccess(_ success: SecurityCheckSuccess) async {}
  /// Does nothing.
  public func handleFailure(_ failure: SecurityCheckFailure) async {}
}

/// The answer of a ``ChallengeHandler``.
public enum ChallengeAnswer: Sendable {
  /// Sends these credentials to the check.
  case submit(SecurityCheckCredentials)
  /// Leaves this check out: only the other checks' answers are sent.
  case withhold
  /// The person cancelled: this flow and all that wait for it fail with `session.cancelled`.
  case cancel
}
