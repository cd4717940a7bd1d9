public import HTTPExchange
public import TokenErrors

// Log-out has three layers, and each is a call of its own: `CurrentSession.logOut()` forgets the session
// here; the two below tell the provider and the service.

/// The second layer: a service whose identity providers keep cookies in the person's browser.
public protocol ProviderSignOut: Sendable {
  /// Addresses for the person's browser to open, so that the next sign-in asks again. Nothing here
  /// holds those cookies: only the browser can drop them.
  func providerSignOutAddresses(of session: Session) -> [String]
}

/// The third layer: a service that keeps a session of its own.
public protocol ServiceSignOut: Sendable {
  /// Ends the session at the service.
  func endSession(
    _ session: Session, over transport: some HTTPTransport
  ) async throws(TokenError)
}
