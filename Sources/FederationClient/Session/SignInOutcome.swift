/// The outcome of a sign-in that did not fail. Cancelling is not an error.
public enum SignInOutcome: Sendable {
  /// The new session.
  case signedIn(Session)
  /// The person closed the picker or the browser, or denied access.
  case cancelled
}
