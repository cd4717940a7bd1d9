import HTTPExchange
import Octets
import TokenBasics

/// Reads the responses of one service, so that no secret in them gets into an error.
struct FeedAnswer {
  let service: String
  let redaction: Redaction

  init(_ service: any FeedService) {
    self.service = service.name
    redaction = Redaction(service.secrets)
  }

  init(_ service: String, hiding secrets: [Secret]) {
    self.service = service
    redaction = Redaction(secrets)
  }

  /// The JSON of a success. An unreadable success of a publication has an unknown outcome.
  func json(
    _ answer: HTTPResponse, after purpose: FeedRequest.Purpose
  ) throws(FeedError) -> JSONValue {
    do throws(TokenError) {
      return try JSONAnswer.read(answer)
    } catch {
      throw unreadable(error, after: purpose)
    }
  }

  func string(
    _ name: String, in json: JSONValue?, after purpose: FeedRequest.Purpose
  ) throws(FeedError) -> String {
    do throws(TokenError) {
      guard let json else { throw JSONAnswer.malformed("an object with \(name)") }
      return try JSONAnswer.string(name, in: json)
    } catch {
      throw unreadable(error, after: purpose)
    }
  }

  func unreadable(_ error: TokenError, after purpose: FeedRequest.Purpose) -> FeedError {
    switch purpose {
    case .preparation: FeedError(.failed, error)
    case .publication:
      FeedError(.unknownOutcome, service: service, expected: error.expected, found: error.found)
    }
  }

  /// An error with the message of the service, redacted.
  func refusal(_ reason: FeedError.Reason, _ words: String?) -> FeedError {
    FeedError(reason, service: service, found: words.map(redaction.excerpt))
  }

  /// The body of an error response if it is JSON; nil for anything else.
  func body(_ answer: HTTPResponse) -> JSONValue? { try? JSONAnswer.read(answer) }

  /// The reason for a status when the body has none.
  static func reason(_ status: Int) -> FeedError.Reason {
    switch status {
    case 401: .tokenExpired
    case 403: .permission
    case 413: .tooLong
    case 429: .rateLimited(until: nil)
    case 408, 500...: .unavailable
    default: .rejected
    }
  }

  /// A request. Throws ``FeedError/Reason/failed`` for an invalid field, which the configuration causes.
  static func request(
    _ method: HTTPMethod, _ url: HTTPURL, _ fields: [(String, String)], _ body: [UInt8] = []
  ) throws(FeedError) -> HTTPRequest {
    do throws(TokenError) {
      return HTTPRequest(method, url, fields: try HTTPFields(fields), body: body)
    } catch {
      throw FeedError(.failed, error)
    }
  }

  static func url(_ base: HTTPURL, _ path: [String]) throws(FeedError) -> HTTPURL {
    do throws(TokenError) {
      return try base.appending(path)
    } catch {
      throw FeedError(.failed, error)
    }
  }
}

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

  /// In whole seconds, rounded up: a wait needs no finer unit.
  static func plausible(_ reset: Instant, _ now: Instant) -> Instant? {
    guard reset > now, reset <= now.advanced(bySeconds: 31 * 86_400) else { return nil }
    return Instant(secondsSinceEpoch: reset.seconds).advanced(
      bySeconds: reset.nanoseconds > 0 ? 1 : 0)
  }
}
