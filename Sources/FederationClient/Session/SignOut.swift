/// A service whose identity providers keep cookies in the person's browser: the second of three layers of log-out.
/// `CurrentSession.logOut()` removes the session on this side; the service ends a session of its own where it has one.
public protocol ProviderSignOut: Sendable {
  /// Addresses for the person's browser to open, so that the next sign-in prompts again. Only the browser
  /// can delete those cookies.
  func providerSignOutAddresses(of session: Session) -> [String]
}
