/// Trust that does not change as long as the process runs.
public struct StaticRegistry: IssuerRegistry {
  private let trust: Trust

  /// A registry of this trust.
  public init(_ trust: Trust) { self.trust = trust }

  /// The trust.
  public func readyTrust(at now: Instant) -> Trust? { trust }

  /// The trust.
  public func trust(at now: Instant) async throws(TokenError) -> Trust { trust }

  /// One source that is always up to date.
  public func health(at now: Instant) -> [RegistryHealth] {
    [
      RegistryHealth(
        source: "static", status: .good, issuers: trust.issuers.count, lastSuccess: nil,
        lastAttempt: nil, consecutiveFailures: 0, lastError: nil, nextRefresh: nil, validUntil: nil)
    ]
  }
}
