/// Trust that does not change as long as the process runs.
public struct StaticRegistry: IssuerRegistry {
  private let trust: Trust

  public init(_ trust: Trust) { self.trust = trust }

  public func readyTrust(at now: Instant) -> Trust? { trust }

  public func trust(at now: Instant) async throws(TokenError) -> Trust { trust }

  public func health(at now: Instant) -> [RegistryHealth] {
    [
      RegistryHealth(
        source: "static", status: .good, issuers: trust.issuers.count, lastSuccess: nil,
        lastAttempt: nil, consecutiveFailures: 0, lastError: nil, nextRefresh: nil, validUntil: nil)
    ]
  }
}
