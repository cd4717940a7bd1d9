public import Instants
public import TokenErrors

/// Remembers which tokens were used, for services that accept each of them once (SAML 2.0 Profiles
/// 4.1.4.5; RFC 7519, 4.1.7).
///
/// ``MemoryReplayStore`` serves one process. A service of several processes, or one that must remember
/// over a restart, implements the one requirement with a database that they share.
public protocol ReplayStore: Sendable {
  /// Remembers a token until `end`. Returns whether it was new.
  ///
  /// Of two calls at once with one identity, exactly one may get `true`. A store that cannot
  /// remember throws: a token that may have been used must not be accepted.
  func remember(
    _ identity: TokenIdentity, until end: Instant, at now: Instant
  ) async throws(TokenError) -> Bool
}

extension ReplayStore {
  /// Uses the token up. It takes verified tokens only, so that an attacker cannot fill the store.
  ///
  /// - Parameters:
  ///   - verified: The verified token.
  ///   - trust: What the token was verified with: its skew prolongs the time to remember.
  ///   - provider: The provider at which it is used, by its identifier in a service's configuration.
  ///   - now: The instant of the verification.
  /// - Throws: `replay.used` for a token that was here before, `time.no-expiry`, and what the store
  ///   throws.
  public func use<Token: SecurityToken>(
    _ verified: Verified<Token>, under trust: Trust, from provider: String? = nil,
    at now: Instant
  ) async throws(TokenError) {
    guard let expires = verified.facts.expires else { throw TokenError(.noExpiry) }
    let end = expires.advanced(bySeconds: Int64(trust.skew))
    guard try await remember(TokenIdentity(verified, at: provider), until: end, at: now) else {
      throw TokenError(.replayUsed, node: verified.facts.tokenID.map { TokenError.excerpt($0) })
    }
  }
}
