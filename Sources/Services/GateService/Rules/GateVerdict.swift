public import TokenErrors

/// The verdict on a request; there is no other.
public enum GateVerdict: Sendable {
  /// The request passes.
  case allow
  /// Nobody is signed in.
  case signIn
  /// The subject may not.
  case forbidden(TokenError)
  /// The gate cannot know: neither a pass nor a sign-in (GATE-8).
  case unavailable(TokenError)
}
