/// Where the refreshing of one address stands, and what comes next. A synchronous value: answers and
/// instants go in, decisions come out.
struct MetadataRefresh: Sendable {
  /// What can be said to whoever asks for keys.
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
  /// Nil for at once.
  private(set) var nextAttempt: Instant?

  init(_ source: MetadataSource) { self.source = source }

  /// When what is in use ends.
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

  /// How to ask, and how to judge what comes back.
  func question(at now: Instant) -> MetadataAnswer {
    if case .ready = standing(at: now) { return MetadataAnswer(source: source, current: accepted) }
    return MetadataAnswer(source: source, current: nil)
  }

  /// Notes good metadata; nil that the server confirmed what is in use.
  mutating func succeed(_ metadata: AcceptedMetadata?, at now: Instant, jitter: Double) {
    if let metadata { accepted = metadata }
    lastAttempt = now
    lastSuccess = now
    failures = 0
    lastError = nil
    nextAttempt = source.schedule.next(
      after: now, cacheSeconds: accepted?.cacheSeconds, end: end ?? now, jitter: jitter)
  }

  /// Takes up what an earlier run had accepted. It is due at once.
  mutating func restore(_ metadata: AcceptedMetadata, confirmedAt instant: Instant) {
    accepted = metadata
    lastSuccess = instant
  }

  /// Notes a failure. What is in use stays in use.
  mutating func fail(_ error: TokenError, at now: Instant, jitter: Double) {
    lastAttempt = now
    failures += 1
    lastError = error
    let next = source.schedule.next(after: now, failures: failures, jitter: jitter)
    // The instant at which keys run out is worth an attempt of its own.
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
      lastError: lastError, nextRefresh: nextAttempt, validUntil: end)
  }

  private func missing(_ code: TokenError.Code) -> TokenError {
    TokenError(
      code, node: source.url.description,
      expected: end.map { "metadata valid after \($0.withMilliseconds)" },
      found: lastError.map { "\($0.code): \($0.message)" })
  }
}
