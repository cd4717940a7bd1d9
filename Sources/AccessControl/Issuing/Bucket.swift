/// A token bucket: so many at once, and then one in so much time.
struct Bucket {
  private let burst: Double
  private let perSecond: Double
  private var left: Double
  private var last: Duration

  init(burst: Int, perSecond: Double, at now: Duration) {
    self.burst = Double(burst)
    self.perSecond = perSecond
    left = Double(burst)
    last = now
  }

  /// Whether there is one left.
  mutating func hasOne(at now: Duration) -> Bool {
    fill(at: now)
    return left >= 1
  }

  /// Takes one; false where there is none.
  mutating func take(at now: Duration) -> Bool {
    fill(at: now)
    guard left >= 1 else { return false }
    left -= 1
    return true
  }

  /// Whether nothing was taken lately, so that a new one would be the same.
  mutating func isFull(at now: Duration) -> Bool {
    fill(at: now)
    return left >= burst
  }

  private mutating func fill(at now: Duration) {
    let elapsed =
      Double((now - last).components.seconds)
      + Double((now - last).components.attoseconds) / 1e18
    guard elapsed > 0 else { return }
    left = min(burst, left + elapsed * perSecond)
    last = now
  }
}
