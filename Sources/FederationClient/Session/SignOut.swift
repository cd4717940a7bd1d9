// Log-out has three layers with a call each: `CurrentSession.logOut()` removes the session on this side,
// the addresses below end it at the provider, and `MobileService.endSession` at a service that stores one.

/// The second layer: a service whose identity providers keep cookies in the person's browser.
public protocol ProviderSignOut: Sendable {
  /// Addresses for the person's browser to open, so that the next sign-in prompts again. Only the browser
  /// can delete those cookies.
  func providerSignOutAddresses(of session: Session) -> [String]
}
