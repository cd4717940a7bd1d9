/// How a sign-in ended, if it did not fail: to cancel is no error.
public enum SignInOutcome: Sendable {
  /// The person is signed in.
  case signedIn(Session)
  /// The person closed the picker, the browser or the question.
  case cancelled
}
