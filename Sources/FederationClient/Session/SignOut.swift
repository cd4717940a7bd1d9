public import HTTPExchange
public import TokenErrors

// Log-out has three layers with a call each: `CurrentSession.logOut()` removes the session on this side;
// the two below end it at the provider and at the service.

/// The second layer: a service whose identity providers keep cookies in the person's browser.
public protocol ProviderSignOut: Sendable {
  /// Addresses for the person's browser to open, so that the next sign-in prompts again. Only the browser
  /// can delete those cookies.
  func providerSignOutAddresses(of session: Session) -> [String]
}

/// The third layer: a service that stores a session of its own.
public protocol ServiceSignOut: Sendable {
  /// Ends the session at the service.
  /// - Throws: `transport.*`.
  func endSession(
    _ session: Session, over transport: some HTTPTransport
  ) async throws(TokenError)
}
