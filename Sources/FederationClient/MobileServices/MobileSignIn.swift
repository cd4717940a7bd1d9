/// The outcome of a sign-in at a Mobile Service that did not fail.
public enum MobileSignIn: Sendable {
  /// The service returned a user and a token.
  case signedIn(MobileUser)
  /// The service rejected the sign-in, with a message for the person.
  case refused(ServerMessage)
}
