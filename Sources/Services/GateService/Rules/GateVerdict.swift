public import TokenBasics

/// The verdict on a request; there is no other.
public enum GateVerdict: Sendable {
  /// The request passes.
  case allow
  /// Nobody is signed in.
  case signIn
  /// Nobody is signed in, and a session would not do: a bearer token is needed.
  case tokenRequired(TokenError)
  /// The subject has to prove anew, or in a stronger way, who it is.
  case signInAgain(TokenError, StepUp)
  /// The bearer token lacks one of these scopes, all of which the request needs.
  case lacksScope(TokenError, [String])
  /// The subject may not.
  case forbidden(TokenError)
}

/// A sign-in that is newer or stronger than the one that is there.
public struct StepUp: Hashable, Sendable {
  /// The accepted authentication contexts; empty for any.
  public let contexts: [String]
  /// The most seconds since the subject proved who it is; nil for any.
  public let maxAge: Int?
  /// Whether the provider was asked for it already and did not do it.
  public let isInVain: Bool
}

/// What a path gets that no rule covers.
public enum GateDefault: String, Hashable, Sendable, CaseIterable {
  /// Everybody who is signed in.
  case signedIn = "signed in"
  /// Everybody.
  case open = "public"
  /// No request passes.
  case refused
}
