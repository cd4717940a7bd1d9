import HTTPExchange
import Instants
import TokenErrors

/// Reads when a rate limit ends. Each service has its own format; a time that is past or more than 31
/// days ahead is ignored.
enum RateLimitReset {
  /// Seconds since 1970 (X, Bluesky).
  static func epoch(_ field: String, _ answer: HTTPResponse, _ now: Instant) -> Instant? {
    guard let seconds = answer.fields[field].flatMap({ Int64($0) }) else { return nil }
    return plausible(Instant(secondsSinceEpoch: seconds), now)
  }

  /// RFC 3339 (Mastodon).
  static func dateTime(_ field: String, _ answer: HTTPResponse, _ now: Instant) -> Instant? {
    guard let text = answer.fields[field] else { return nil }
    return (try? Instant(dateTime: text)).flatMap { plausible($0, now) }
  }

  /// `Retry-After` in seconds (RFC 9110, 10.2.3).
  static func retryAfter(_ answer: HTTPResponse, _ now: Instant) -> Instant? {
    guard let seconds = answer.fields["Retry-After"].flatMap({ Int64($0) }) else { return nil }
    return plausible(now.advanced(bySeconds: seconds), now)
  }

  static func plausible(_ reset: Instant, _ now: Instant) -> Instant? {
    reset > now && reset <= now.advanced(bySeconds: 31 * 86_400) ? reset : nil
  }
}
