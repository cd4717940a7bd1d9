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
  /// When the next attempt is due, by the monotonic clock; nil for immediately.
  private(set) var nextAttempt: Duration?
  /// When a caller that waits for keys may cause the next attempt, by the same clock; nil for immediately.
  private(set) var nextOnDemand: Duration?

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

  /// - Parameters:
  ///   - now: The time of day, by which keys expire.
  ///   - uptime: The time by the monotonic clock, by which attempts are due.
  func standing(at now: Instant, _ uptime: Duration) -> KeyAvailability {
    guard let end, now < end else {
      let isDue = nextOnDemand.map { $0 <= uptime } ?? true
      return .missing(
        missing(end == nil ? .registryUnavailable : .registryTrustExpired), isDue: isDue)
    }
    return .ready(isDue: nextAttempt.map { $0 <= uptime } ?? true)
  }

  /// What was accepted, unless it has expired.
  func current(at now: Instant) -> Fetched? {
    if let end, now < end { accepted } else { nil }
  }

  /// Records what was accepted; nil if the server confirmed what is in use.
  mutating func succeed(
    _ fetched: Fetched?, at now: Instant, _ uptime: Duration, jitter: Double
  ) {
    if let fetched { accepted = fetched }
    lastAttempt = now
    lastSuccess = now
    failures = 0
    lastError = nil
    let next = schedule.next(
      after: now, cacheSeconds: accepted?.cacheSeconds, end: end ?? now, jitter: jitter)
    nextAttempt = uptime + .seconds(next.seconds - now.seconds)
    nextOnDemand = uptime + schedule.pauseOnDemand
  }

  /// Restores what an earlier run accepted. A refresh is due immediately.
  mutating func restore(_ fetched: Fetched, confirmedAt instant: Instant) {
    accepted = fetched
    lastSuccess = instant
  }

  /// Records a failure. What is in use stays in use.
  mutating func fail(
    _ error: TokenError, at now: Instant, _ uptime: Duration, jitter: Double
  ) {
    lastAttempt = now
    failures += 1
    lastError = error
    let next = schedule.next(after: now, failures: failures, jitter: jitter)
    var pause = Duration.seconds(next.seconds - now.seconds)
    // One more attempt is made at the time at which the keys expire.
    if let end, end > now { pause = min(pause, .milliseconds(end.milliseconds(since: now))) }
    nextAttempt = uptime + pause
    nextOnDemand = uptime + schedule.pauseOnDemand
  }

  /// Whether the last attempt failed and the pause after it is over for a caller that needs what the source has now.
  func mayRetry(_ uptime: Duration) -> Bool {
    failures > 0 && nextOnDemand.map { $0 <= uptime } ?? true
  }

  func health(at now: Instant, _ uptime: Duration) -> RegistryHealth {
    let status: RegistryHealth.Status
    if let end {
      status = now >= end ? .expired : failures == 0 ? .good : .failing
    } else {
      status = .empty
    }
    return RegistryHealth(
      source: source, status: status, issuers: accepted?.issuers.count ?? 0,
      lastSuccess: lastSuccess, lastAttempt: lastAttempt, consecutiveFailures: failures,
      lastError: lastError,
      nextRefresh: nextAttempt.map {
        now.advanced(bySeconds: ($0 - uptime).components.seconds)
      }, validUntil: end,
      passedOver: accepted?.passedOver ?? [])
  }

  private func missing(_ code: TokenError.Code) -> TokenError {
    TokenError(
      code, node: source, expected: end.map { "metadata valid after \($0.withMilliseconds)" },
      found: lastError?.description)
  }
}
