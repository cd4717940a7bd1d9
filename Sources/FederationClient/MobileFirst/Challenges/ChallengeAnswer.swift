/// The answer of a ``ChallengeHandler``.
public enum ChallengeAnswer: Sendable {
  /// Sends these credentials to the check.
  case submit(SecurityCheckCredentials)
  /// Leaves this check out: only the other checks' answers are sent.
  case withhold
  /// The person cancelled: this flow and all that wait for it fail with `session.cancelled`.
  case cancel
}
