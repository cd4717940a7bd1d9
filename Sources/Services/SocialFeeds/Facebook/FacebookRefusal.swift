import HTTPExchange
import Instants
import Octets

/// Maps Graph's errors by their code; the status is not specific (400 for an expired token).
enum FacebookRefusal {
  static func read(_ answer: HTTPResponse, _ reader: FeedAnswer, _ now: Instant) -> FeedError {
    guard let error = reader.body(answer)?["error"], let code = error["code"]?.integer else {
      return reader.refusal(FeedAnswer.reason(answer.status), "status \(answer.status)")
    }
    let subcode = error["error_subcode"]?.integer
    var words = "code \(code)"
    if let subcode { words += ", subcode \(subcode)" }
    if let message = error["error_user_msg"]?.string ?? error["message"]?.string {
      words += ": " + message
    }
    let isTransient = error["is_transient"]?.bool ?? false
    return reader.refusal(reason(code, subcode, isTransient, answer, now), words)
  }

  private static func reason(
    _ code: Int, _ subcode: Int?, _ isTransient: Bool, _ answer: HTTPResponse, _ now: Instant
  ) -> FeedError.Reason {
    switch (code, subcode) {
    // The person must act on the site before any token works again.
    case (_, 459?), (_, 464?), (368, _): .blocked
    case (190, _), (102, _), (100, 458?), (100, 460?), (100, 463?), (100, 467?), (100, 492?):
      .tokenExpired
    case (4, _), (17, _), (32, _), (341, _), (613, _), (80_000..<81_000, _):
      .rateLimited(until: regain(answer, now))
    case (10, _), (200..<300, _): .permission
    case (506, _): .duplicate
    case (1, _), (2, _): .unavailable
    default: isTransient || answer.status >= 500 ? .unavailable : .rejected
    }
  }

  /// Graph sends no Retry-After. The usage header of a business contains the remaining minutes; the
  /// longest of several applies.
  private static func regain(_ answer: HTTPResponse, _ now: Instant) -> Instant? {
    guard let usage = answer.fields["X-Business-Use-Case-Usage"],
      let businesses = try? JSONParser.parse(Array(usage.utf8)).members
    else { return nil }
    let minutes = businesses.flatMap { $0.value.array ?? [] }
      .compactMap { $0["estimated_time_to_regain_access"]?.integer }
      .filter { (1...44_640).contains($0) }
    guard let longest = minutes.max() else { return nil }
    return RateLimitReset.plausible(now.advanced(bySeconds: Int64(longest) * 60), now)
  }
}
