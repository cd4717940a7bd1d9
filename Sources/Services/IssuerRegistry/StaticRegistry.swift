/// Trust that does not change while the process runs.
public struct StaticRegistry: IssuerRegistry {
  private let trust: Trust

  /// A registry that always returns `trust`.
  public init(_ trust: Trust) { self.trust = trust }

  /// The fixed trust.
  public func readyTrust(at now: Instant) -> Trust? { trust }

  /// The fixed trust. Never throws.
  public func trust(at now: Instant) async throws(TokenError) -> Trust { trust }

  /// One entry named `static`: ``RegistryHealth/Status/expired`` once the metadata behind every key has come to its
  /// end, good otherwise.
  public func health(at now: Instant) -> [RegistryHealth] {
    let end = self.end
    let isOver = end.map { $0 <= now } ?? false
    return [
      RegistryHealth(
        source: "static", status: isOver ? .expired : .good, issuers: trust.issuers.count,
        lastSuccess: nil, lastAttempt: nil, consecutiveFailures: 0,
        lastError: isOver ? TokenError(.registryDocumentExpired) : nil, nextRefresh: nil,
        validUntil: end, passedOver: trust.passedOver)
    ]
  }

  /// When the last key ends; nil where one does not.
  private var end: Instant? {
    var end: Instant?
    for key in trust.issuers.lazy.flatMap(\.keys) {
      guard let own = key.validUntil else { return nil }
      end = max(end ?? own, own)
    }
    return end
  }
}
