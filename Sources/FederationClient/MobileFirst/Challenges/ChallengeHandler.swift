/// Answers the challenges of one security check and hears how they end.
///
/// The client calls one method at a time, and always before the call that caused it returns: the handler
/// first, then the completion. A handler must not call the client from inside; the client waits for it.
public protocol ChallengeHandler: Sendable {
  /// The check asks. It may ask again: wrong answers come back with
  /// ``SecurityChallenge/errorMessage``.
  func handleChallenge(_ challenge: SecurityChallenge) async -> ChallengeAnswer
  func handleSuccess(_ success: SecurityCheckSuccess) async
  func handleFailure(_ failure: SecurityCheckFailure) async
}

extension ChallengeHandler {
  public func handleSuccess(_ success: SecurityCheckSuccess) async {}
  public func handleFailure(_ failure: SecurityCheckFailure) async {}
}
