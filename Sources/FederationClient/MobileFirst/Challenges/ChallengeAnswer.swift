/// What a handler answers.
public enum ChallengeAnswer: Sendable {
  case submit(SecurityCheckCredentials)
  /// Leaves this check out: the other checks' answers go without it.
  case withhold
  /// The person gave up: the request and all that wait behind it end.
  case cancel
}
