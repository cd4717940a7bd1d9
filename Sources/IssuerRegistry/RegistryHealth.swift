/// How one source of trust fares, for a health endpoint or an alert. Holds no secret.
public struct RegistryHealth: Hashable, Sendable {
  /// What can be said in one word.
  public enum Status: String, Hashable, Sendable {
    /// The last attempt succeeded.
    case good
    /// Good keys are in use, but the last attempt failed.
    case failing
    /// What was good has expired.
    case expired
    /// Nothing was ever good.
    case empty
  }

  /// An address without its query, a path, or `static`.
  public let source: String
  /// Whether the source is in use.
  public let status: Status
  /// How many issuers are trusted because of this source.
  public let issuers: Int
  /// When the source last confirmed what is in use; nil for never.
  public let lastSuccess: Instant?
  /// When it was last tried; nil for never.
  public let lastAttempt: Instant?
  /// How often it has failed since the last success.
  public let consecutiveFailures: Int
  /// Why it failed last; nil after a success.
  public let lastError: TokenError?
  /// When it will be tried next; nil when nothing is planned.
  public let nextRefresh: Instant?
  /// When what is in use ends, if nothing newer comes; nil for never, or when nothing is in use.
  public let validUntil: Instant?

  /// Seconds from the last success to `now`; nil when there was none.
  public func age(at now: Instant) -> Int64? { lastSuccess.map { now.seconds - $0.seconds } }
}
