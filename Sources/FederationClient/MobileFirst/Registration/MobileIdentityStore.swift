public import TokenErrors

/// Where a client keeps its identity between runs. Losing it means to register anew.
public protocol MobileIdentityStore: Sendable {
  /// What was kept, if anything.
  func identity() async throws(TokenError) -> Secret?
  /// Keeps an identity in place of an older one; nil forgets it.
  func keep(_ identity: Secret?) async throws(TokenError)
}
