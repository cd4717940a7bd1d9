/// What a fetch of trust brought: metadata, or a provider's configuration with its keys.
protocol FetchedTrust: Sendable {
  /// The issuers with their keys.
  var issuers: [TrustedIssuer] { get }
  /// Why keys are passed over, each with its place.
  var passedOver: [TokenError] { get }
  /// The expiry of the last key; nil if one has none.
  var validUntil: Instant? { get }
  /// For how long the publisher lets it be kept, in seconds; nil for no word.
  var cacheSeconds: Int64? { get }
}

/// The state of the refreshes of one address and the time of the next one. A synchronous value without
/// clock or network.
struct RefreshState<Fetched: FetchedTrust>: Sendable {
  /// Whether keys are available.
  enum KeyAvailability {
    case ready(isDue: Bool)
    case missing(TokenError, isDue: Bool)
  }

  /// The address, without its query.
  let source: String
  let schedule: RefreshSchedule
  private(set) var accepted: Fetched?
  private(set) var lastSuccess: Instant?
  private(set) var lastAttempt: Instant?
  private(set) var failures = 0
  private(set) var lastError: TokenError?
  /// Nil for immediately.
  private(set) var nextAttempt: Instant?

  init(source: String, schedule: RefreshSchedule) {
    self.source = source
    self.schedule = schedule
  }

  /// The expiry of what is in use.
  var end: Instant? {
    guard let accepted, let lastSuccess else { return nil }
    let longest = lastSuccess.advanced(bySeconds: schedule.longestUse)
    return min(accepted.validUntil ?? longest, longest)
  }

  func standing(at now: Instant) -> KeyAvailability {
    let isDue = nextAttempt.map { $0 <= now } ?? true
    guard let end else { return .missing(missing(.registryUnavailable), isDue: isDue) }
    if now < end { return .ready(isDue: isDue) }
    return .missing(missing(.registryTrustExpired), isDue: isDue)
  }

  /// What was accepted, unless it has expired.
  func current(at now: Instant) -> Fetched? {
    if case .ready = standing(at: now) { accepted } else { nil }
  }

  /// Records what was accepted; nil if the server confirmed what is in use.
  mutating func succeed(_ fetched: Fetched?, at now: Instant, jitter: Double) {
    if let fetched { accepted = fetched }
    lastAttempt = now
    lastSuccess = now
    failures = 0
    lastError = nil
    nextAttempt = schedule.next(
      after: now, cacheSeconds: accepted?.cacheSeconds, end: end ?? now, jitter: jitter)
  }

  /// Restores what an earlier run accepted. A refresh is due immediately.
  mutating func restore(_ fetched: Fetched, confirmedAt instant: Instant) {
    accepted = fetched
    lastSuccess = instant
  }

  /// Records a failure. What is in use stays in use.
  mutating func fail(_ error: TokenError, at now: Instant, jitter: Double) {
    lastAttempt = now
    failures += 1
    lastError = error
    let next = schedule.next(after: now, failures: failures, jitter: jitter)
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
      source: source, status: status, issuers: accepted?.issuers.count ?? 0,
      lastSuccess: lastSuccess, lastAttempt: lastAttempt, consecutiveFailures: failures,
      lastError: lastError, nextRefresh: nextAttempt, validUntil: end,
      passedOver: accepted?.passedOver ?? [])
  }

  private func missing(_ code: TokenError.Code) -> TokenError {
    TokenError(
      code, node: source, expected: end.map { "metadata valid after \($0.withMilliseconds)" },
      found: lastError.map { "\($0.code): \($0.message)" })
  }
}
