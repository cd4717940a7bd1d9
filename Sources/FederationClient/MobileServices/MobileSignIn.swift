/// How a sign-in at a Mobile Service ended, if it did not break.
public enum MobileSignIn: Sendable {
  case signedIn(MobileUser)
  /// The service said no, in words for the person.
  case refused(ServerMessage)
}
