/// A source of the current trust, whose keys may be replaced at any time.
///
///     let trust: Trust
///     if let ready = registry.readyTrust(at: now) { trust = ready }
///     else { trust = try await registry.trust(at: now) }
///     let verified = try TokenValidator(trust).validate(token, at: now)
///
/// An error never replaces valid keys: what was accepted stays in use until it expires, and
/// ``health(at:)`` shows the error in the meantime.
public protocol IssuerRegistry: Sendable {
  /// The trust at `now` if it is available without waiting; nil if only ``trust(at:)`` can return it.
  ///
  /// Starts work that is due in the background.
  func readyTrust(at now: Instant) -> Trust?

  /// The trust at `now`. Waits only while no issuer can be trusted.
  ///
  /// - Throws: `registry.unavailable`, `registry.trust-expired`; for a file also the error of reading it.
  func trust(at now: Instant) async throws(TokenError) -> Trust

  /// The state of each source of this registry.
  func health(at now: Instant) -> [RegistryHealth]
}
