import Synchronization
import TokenService

/// Lets so many requests through a second, and as many at once.
final class RateLimit: Sendable {
  private let perSecond: Int
  private let uptime: Uptime
  private let bucket: Mutex<Bucket>

  init(perSecond: Int, _ uptime: Uptime) {
    self.perSecond = max(1, perSecond)
    self.uptime = uptime
    bucket = Mutex(
      Bucket(burst: max(1, perSecond), perSecond: Double(max(1, perSecond)), at: uptime.now))
  }

  /// - Throws: `issuing.rate`.
  func take() throws(TokenError) {
    let now = uptime.now
    guard bucket.withLock({ $0.take(at: now) }) else {
      throw TokenError(.issuingRate, expected: "at most \(perSecond) a second")
    }
  }
}
