/// Says who is trusted right now, while keys are being replaced behind it.
///
///     let trust: Trust
///     if let ready = registry.readyTrust(at: now) { trust = ready }
///     else { trust = try await registry.trust(at: now) }
///     let verified = try TokenValidator(trust).validate(token, at: now)
///
/// A registry never trades good keys for an error: what was accepted stays in use until it expires,
/// and ``health(at:)`` shows what goes wrong meanwhile.
public protocol IssuerRegistry: Sendable {
  /// The trust at `now` if it can be said without waiting; nil when only ``trust(at:)`` can tell.
  ///
  /// Work that has become due is begun in the background.
  func readyTrust(at now: Instant) -> Trust?

  /// The trust at `now`. Waits only as long as nothing at all can be trusted.
  ///
  /// - Throws: `registry.unavailable`, `registry.trust-expired`; for a file also what is wrong
  ///   with it.
  func trust(at now: Instant) async throws(TokenError) -> Trust

  /// How each source behind this registry fares.
  func health(at now: Instant) -> [RegistryHealth]
}
