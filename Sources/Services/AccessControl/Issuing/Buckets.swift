import Octets
import SecurityKeys

/// Token buckets of one rate by what they count. Memory has a bound: those that say nothing are dropped, and where that is not
/// enough those that say least, so that a guesser who is held back is not set free by guesses under many other names.
struct Buckets<Key: Hashable & Sendable>: Sendable {
  private let rate: BucketRate
  private let most: Int
  private var all: [Key: Bucket] = [:]
  /// When those that say nothing were last dropped.
  private var dropped: Duration?

  /// - Parameter most: The most buckets.
  init(_ rate: BucketRate, most: Int = 20_000) {
    self.rate = rate
    self.most = most
  }

  /// What is counted.
  var keys: [Key] { Array(all.keys) }

  /// How long until there is one.
  mutating func wait(_ key: Key, at now: Duration) -> Duration {
    all[key]?.wait(at: now) ?? .zero
  }

  /// Takes one; false where there is none.
  mutating func take(_ key: Key, at now: Duration) -> Bool {
    if all.count >= most || now - (dropped ?? now) >= Self.pause { drop(now) }
    if dropped == nil { dropped = now }
    return all[key, default: Bucket(rate, at: now)].take(at: now)
  }

  private mutating func drop(_ now: Duration) {
    dropped = now
    all = all.filter { entry in
      var bucket = entry.value
      return !bucket.isFull(at: now)
    }
    // A quarter is free afterwards, so that the next one does not begin this again.
    guard all.count > most - most / 4 else { return }
    let levels = all.map { entry in
      var bucket = entry.value
      return (key: entry.key, level: bucket.level(at: now))
    }
    for (key, _) in levels.sorted(by: { $0.level > $1.level }).prefix(all.count - most / 2) {
      all[key] = nil
    }
  }

  /// Between two looks for buckets that say nothing.
  private static var pause: Duration { .seconds(60) }
}

/// A name as limits keep it. A request chooses how long its names are, and thousands of them are kept.
enum CountedName {
  /// The name; of one with over 256 octets, its digest.
  static func of(_ name: String) -> String {
    guard name.utf8.count > mostOctets else { return name }
    return "long:" + Hex.encode(DigestAlgorithm.sha256.digest(of: Array(name.utf8)) ?? [])
  }

  private static let mostOctets = 256
}

/// So many at once, and so many a second.
struct BucketRate: Sendable {
  let burst: Double
  let perSecond: Double

  init(burst: Int, perSecond: Double) {
    self.burst = Double(burst)
    self.perSecond = perSecond
  }

  /// As many at once as in a second.
  init(perSecond: Int) { self.init(burst: perSecond, perSecond: Double(perSecond)) }
}

/// A token bucket: so many at once, and then one in so much time.
struct Bucket {
  private let rate: BucketRate
  private var left: Double
  private var last: Duration

  init(_ rate: BucketRate, at now: Duration) {
    self.rate = rate
    left = rate.burst
    last = now
  }

  /// Takes one; false where there is none.
  mutating func take(at now: Duration) -> Bool {
    fill(at: now)
    guard left >= 1 else { return false }
    left -= 1
    return true
  }

  /// How long until there is one.
  mutating func wait(at now: Duration) -> Duration {
    fill(at: now)
    return left >= 1 ? .zero : .seconds((1 - left) / rate.perSecond)
  }

  /// Whether nothing was taken lately, so that a new one would be the same.
  mutating func isFull(at now: Duration) -> Bool { level(at: now) >= 1 }

  /// How much is left of all that there may be: 1 for all.
  mutating func level(at now: Duration) -> Double {
    fill(at: now)
    return left / rate.burst
  }

  private mutating func fill(at now: Duration) {
    let elapsed = (now - last) / .seconds(1)
    left = min(rate.burst, left + elapsed * rate.perSecond)
    last = now
  }
}
