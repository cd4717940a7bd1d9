public import BrowserExchange
public import TokenErrors

/// Stores a client's identity between runs. Without it the client registers anew.
public protocol MobileIdentityStore: Sendable {
  /// The stored identity, if any.
  func identity() async throws(TokenError) -> Secret?
  /// Stores an identity in place of an older one; nil removes it.
  func keep(_ identity: Secret?) async throws(TokenError)
}
