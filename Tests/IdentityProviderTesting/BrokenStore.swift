public import SignIn

/// A store whose disk is full.
public struct BrokenStore: SessionStore {
  private let error = TokenError(.signInSessionStore)

  public init() {}

  public func insert(_: SignedInSession, _: SessionID) async throws(TokenError) { throw error }
  public func replace(_: SignedInSession, _: SessionID) async throws(TokenError) { throw error }
  public func session(_: SessionID) async throws(TokenError) -> SignedInSession? { throw error }
  public func use(_: SessionID, at: Instant) async throws(TokenError) { throw error }
  public func remove(_: SessionID) async throws(TokenError) { throw error }
  public func remove(_: EndedSessions) async throws(TokenError) -> Int { throw error }
  public func sweep(at: Instant, idle: Int64) async throws(TokenError) { throw error }
}
