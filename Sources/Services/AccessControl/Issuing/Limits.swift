import Octets
import SignIn
import Synchronization
import TokenErrors

/// Makes guesses of secrets cost time, by a monotonic clock.
///
/// Wrong ones are counted for each name at each address, for each address, and for each name. Who gave the right secret
/// from an address before is held back there by wrong ones of that name alone.
final class GuessLimit: Sendable {
  private enum Key: Hashable {
    case pair(String, String)
    case address(String)
    case name(String)
  }

  private struct State {
    var buckets: [Key: Bucket] = [:]
    var known: Set<Key> = []
  }

  private let uptime: Uptime
  private let state = Mutex(State())

  init(_ uptime: Uptime) { self.uptime = uptime }

  /// - Throws: `issuing.rate` where too many were wrong.
  func admit(_ name: String, from address: String) throws(TokenError) {
    let now = uptime.now
    let isHeld = state.withLock { state in
      let pair = Key.pair(name, address)
      let keys: [Key] =
        state.known.contains(pair) ? [pair] : [pair, .address(address), .name(name)]
      return keys.contains { key in
        guard var bucket = state.buckets[key] else { return false }
        return !bucket.hasOne(at: now)
      }
    }
    guard !isHeld else {
      throw TokenError(.issuingRate, expected: "fewer wrong secrets", found: "too many")
    }
  }

  /// A secret was wrong. Returns whether that was within the limit.
  @discardableResult
  func failed(_ name: String, from address: String) -> Bool {
    let now = uptime.now
    return state.withLock { state in
      if state.buckets.count > Self.mostBuckets { Self.drop(&state.buckets, now) }
      var isWithin = true
      for key in [Key.pair(name, address), .address(address), .name(name)] {
        var bucket = state.buckets[key] ?? Self.bucket(key, now)
        if !bucket.take(at: now) { isWithin = false }
        state.buckets[key] = bucket
      }
      return isWithin
    }
  }

  /// A secret was right.
  func succeeded(_ name: String, from address: String) {
    state.withLock { state in
      if state.known.count >= Self.mostKnown { state.known.removeAll() }
      state.known.insert(.pair(name, address))
    }
  }

  private static func bucket(_ key: Key, _ now: Duration) -> Bucket {
    switch key {
    case .pair: Bucket(burst: 10, perSecond: 0.1, at: now)
    case .address: Bucket(burst: 100, perSecond: 1, at: now)
    case .name: Bucket(burst: 1_000, perSecond: 1, at: now)
    }
  }

  /// Drops what says nothing, and everything where that is not enough: memory has a bound.
  private static func drop(_ buckets: inout [Key: Bucket], _ now: Duration) {
    buckets = buckets.filter { entry in
      var bucket = entry.value
      return !bucket.isFull(at: now)
    }
    if buckets.count > mostBuckets { buckets.removeAll() }
  }

  private static let mostBuckets = 20_000
  private static let mostKnown = 10_000
}

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
    left = min(burst, left + elapsed * perSecond)
    last = now
  }
}

/// Time since some moment, by a monotonic clock: what waits and limits are measured with.
package struct Uptime: Sendable {
  private let read: @Sendable () -> Duration

  /// - Parameter read: The time since any moment; it never goes back.
  package init(_ read: @escaping @Sendable () -> Duration) { self.read = read }

  /// The clock of the system, which goes on when the time of day is set.
  package static var system: Self {
    let start = ContinuousClock.now
    return Self { ContinuousClock.now - start }
  }

  var now: Duration { read() }
}

/// Says when expired entries are to be removed again.
final class SweepTimer: Sendable {
  private let uptime: Uptime
  private let pause: Duration
  private let last: Mutex<Duration>

  init(_ uptime: Uptime, every pause: Duration) {
    self.uptime = uptime
    self.pause = pause
    last = Mutex(uptime.now)
  }

  /// True once in each pause.
  var isDue: Bool {
    let now = uptime.now
    return last.withLock { last in
      guard now - last >= pause else { return false }
      last = now
      return true
    }
  }
}

extension WebRequest {
  /// What stands for the sender in limits: an IPv4 address, or the first 64 bits of an IPv6 address, since one network has
  /// as many of the others as it likes.
  package static func peer(of address: String?) -> String? {
    guard let address, let octets = IPAddress(address.prefix { $0 != "%" })?.octets else {
      return address
    }
    // An IPv4 address in one of IPv6 (RFC 4291, 2.5.5) has four.
    guard octets.count == 16 else { return octets.map(String.init).joined(separator: ".") }
    return stride(from: 0, to: 8, by: 2).map { place in
      String(Int(octets[place]) << 8 | Int(octets[place + 1]), radix: 16)
    }.joined(separator: ":")
  }
}
