public import TokenBasics

/// Remembers which tokens were used, for services that accept each of them once (SAML 2.0 Profiles
/// 4.1.4.5; RFC 7519, 4.1.7).
///
/// ``MemoryReplayStore`` serves one process. A service of several processes, or one that must remember
/// over a restart, implements the one requirement without a default with a database that they share.
public protocol ReplayStore: Sendable {
  /// Remembers a token until `end`. Returns whether it was new.
  ///
  /// Of two calls at once with one identity, exactly one may get `true`. A store that cannot
  /// remember throws: a token that may have been used must not be accepted.
  func remember(
    _ identity: TokenIdentity, until end: Instant, at now: Instant
  ) async throws(TokenError) -> Bool

  /// Remembers a use as long as what is used can be accepted. Returns whether it was the first.
  ///
  /// A store that can lose what it knew implements this too, and throws `replay.older-than-store` for what is older
  /// than its memory. By default it is the other method, until end and skew are over.
  func remember(_ use: TokenUse, at now: Instant) async throws(TokenError) -> Bool
}

extension ReplayStore {
  /// Remembers a use until its end and skew are over.
  public func remember(_ use: TokenUse, at now: Instant) async throws(TokenError) -> Bool {
    try await remember(use.identity, until: use.end.advanced(bySeconds: use.skew), at: now)
  }

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
    let facts = verified.facts
    guard let expires = facts.expires else { throw TokenError(.noExpiry) }
    let use = TokenUse(
      TokenIdentity(verified, at: provider), .issued(facts.issued ?? facts.notBefore),
      until: expires,
      skew: Int64(trust.skew))
    guard try await remember(use, at: now) else {
      throw TokenError(.replayUsed, node: facts.tokenID.map { TokenError.excerpt($0) })
    }
  }
}

/// The used tokens of one process, forgotten when it ends.
public actor MemoryReplayStore: ReplayStore {
  private let capacity: Int
  private var ends: [TokenIdentity: Instant] = [:]
  /// The earliest instant at which a token expires.
  private var earliestEnd: Instant?
  private var sweepCount = sweepFloor

  /// - Parameter capacity: How many tokens it remembers at once, about 150 bytes each. When all of them
  ///   are still valid, it refuses further ones: to forget one would be to accept it again.
  public init(capacity: Int = 100_000) { self.capacity = capacity }

  /// - Throws: `replay.store-full`.
  public func remember(
    _ identity: TokenIdentity, until end: Instant, at now: Instant
  ) throws(TokenError) -> Bool {
    if let known = ends[identity], known > now { return false }
    if ends.count >= min(sweepCount, capacity) { sweep(now) }
    guard ends.count < capacity else {
      throw TokenError(.replayStoreFull, expected: "fewer than \(capacity) valid tokens")
    }
    ends[identity] = end
    earliestEnd = min(earliestEnd ?? end, end)
    return true
  }

  /// Removes expired tokens. The cost is amortised over as many calls as there are tokens left.
  private func sweep(_ now: Instant) {
    if let earliestEnd, earliestEnd <= now {
      ends = ends.filter { $0.value > now }
      self.earliestEnd = ends.values.min()
    }
    sweepCount = max(Self.sweepFloor, 2 * ends.count)
  }

  private static let sweepFloor = 1_024
}
