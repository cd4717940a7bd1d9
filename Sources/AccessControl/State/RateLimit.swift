import Synchronization
import TokenService

/// Lets so many requests through a second, and as many at once (a token bucket).
final class RateLimit: Sendable {
  private struct State {
    var left: Double
    var last: Instant
  }

  private let perSecond: Double
  private let state: Mutex<State?>

  init(perSecond: Int) {
    self.perSecond = Double(max(1, perSecond))
    state = Mutex(nil)
  }

  /// - Throws: `issuing.rate`.
  func take(at now: Instant) throws(TokenError) {
    let isFree = state.withLock { state in
      var current = state ?? State(left: perSecond, last: now)
      let elapsed = Double(now.milliseconds(since: current.last)) / 1_000
      // Not every call moves the clock on, or time under a millisecond would be lost.
      if elapsed > 0 {
        current.left = min(perSecond, current.left + elapsed * perSecond)
        current.last = now
      }
      let isFree = current.left >= 1
      if isFree { current.left -= 1 }
      state = current
      return isFree
    }
    guard isFree else {
      throw TokenError(.issuingRate, expected: "at most \(Int(perSecond)) a second")
    }
  }
}
