/// Trust that does not change while the process runs.
public struct StaticRegistry: IssuerRegistry {
  private let trust: Trust

  /// A registry that always returns `trust`.
  public init(_ trust: Trust) { self.trust = trust }

  /// The fixed trust.
  public func readyTrust(at now: Instant) -> Trust? { trust }

  /// The fixed trust. Never throws.
  public func trust(at now: Instant) async throws(TokenError) -> Trust { trust }

  /// One entry named `static`, always ``RegistryHealth/Status/good``.
  public func health(at now: Instant) -> [RegistryHealth] {
    [
      RegistryHealth(
        source: "static", status: .good, issuers: trust.issuers.count, lastSuccess: nil,
        lastAttempt: nil, consecutiveFailures: 0, lastError: nil, nextRefresh: nil, validUntil: nil,
        passedOver: trust.passedOver)
    ]
  }
}
