import HTTPExchange
import Instants
import Octets
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

  /// `Retry-After` in seconds or as a date (RFC 9110, 10.2.3).
  static func retryAfter(_ answer: HTTPResponse, _ now: Instant) -> Instant? {
    guard let text = answer.fields["Retry-After"] else { return nil }
    if let date = Instant(httpDate: text, now: now) { return plausible(date, now) }
    guard text.utf8.allSatisfy(ASCII.isDigit), let seconds = Int64(text) else { return nil }
    return plausible(now.advanced(bySeconds: seconds), now)
  }

  /// In whole seconds, rounded up: nobody waits for nanoseconds.
  static func plausible(_ reset: Instant, _ now: Instant) -> Instant? {
    guard reset > now, reset <= now.advanced(bySeconds: 31 * 86_400) else { return nil }
    return Instant(secondsSinceEpoch: reset.seconds).advanced(
      bySeconds: reset.nanoseconds > 0 ? 1 : 0)
  }
}
