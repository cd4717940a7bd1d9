/// The state of the refreshes of one address and the time of the next one. A synchronous value without
/// clock or network.
struct MetadataRefresh: Sendable {
  /// Whether keys are available.
  enum Standing {
    case ready(isDue: Bool)
    case missing(TokenError, isDue: Bool)
  }

  let source: MetadataSource
  private(set) var accepted: AcceptedMetadata?
  private(set) var lastSuccess: Instant?
  private(set) var lastAttempt: Instant?
  private(set) var failures = 0
  private(set) var lastError: TokenError?
  /// Nil for immediately.
  private(set) var nextAttempt: Instant?

  init(_ source: MetadataSource) { self.source = source }

  /// The expiry of the metadata in use.
  var end: Instant? {
    guard let accepted, let lastSuccess else { return nil }
    let longest = lastSuccess.advanced(bySeconds: source.schedule.longestUse)
    return min(accepted.validUntil ?? longest, longest)
  }

  func standing(at now: Instant) -> Standing {
    let isDue = nextAttempt.map { $0 <= now } ?? true
    guard let end else { return .missing(missing(.registryUnavailable), isDue: isDue) }
    if now < end { return .ready(isDue: isDue) }
    return .missing(missing(.registryTrustExpired), isDue: isDue)
  }

  /// The request to send and the check of its response.
  func question(at now: Instant) -> MetadataAnswer {
    if case .ready = standing(at: now) { return MetadataAnswer(source: source, current: accepted) }
    return MetadataAnswer(source: source, current: nil)
  }

  /// Records accepted metadata; nil if the server confirmed the metadata in use.
  mutating func succeed(_ metadata: AcceptedMetadata?, at now: Instant, jitter: Double) {
    if let metadata { accepted = metadata }
    lastAttempt = now
    lastSuccess = now
    failures = 0
    lastError = nil
    nextAttempt = source.schedule.next(
      after: now, cacheSeconds: accepted?.cacheSeconds, end: end ?? now, jitter: jitter)
  }

  /// Restores the metadata of an earlier run. A refresh is due immediately.
  mutating func restore(_ metadata: AcceptedMetadata, confirmedAt instant: Instant) {
    accepted = metadata
    lastSuccess = instant
  }

  /// Records a failure. The metadata in use stays in use.
  mutating func fail(_ error: TokenError, at now: Instant, jitter: Double) {
    lastAttempt = now
    failures += 1
    lastError = error
    let next = source.schedule.next(after: now, failures: failures, jitter: jitter)
    // One more attempt is made at the time at which the keys expire.
    if let end, end > now { nextAttempt = min(next, end) } else { nextAttempt = next }
  }

  func health(at now: Instant) -> RegistryHealth {
    let status: RegistryHealth.Status
    if let end {
      status = now >= end ? .expired : failures == 0 ? .good : .failing
    } else {
      status = .empty
    }
    return RegistryHealth(
      source: source.url.description, status: status, issuers: accepted?.issuers.count ?? 0,
      lastSuccess: lastSuccess, lastAttempt: lastAttempt, consecutiveFailures: failures,
      lastError: lastError, nextRefresh: nextAttempt, validUntil: end,
      passedOver: accepted?.passedOver ?? [])
  }

  private func missing(_ code: TokenError.Code) -> TokenError {
    TokenError(
      code, node: source.url.description,
      expected: end.map { "metadata valid after \($0.withMilliseconds)" },
      found: lastError.map { "\($0.code): \($0.message)" })
  }
}
