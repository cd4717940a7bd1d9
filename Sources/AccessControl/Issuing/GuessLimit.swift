import Octets
import Synchronization
import TokenService

/// Makes guesses of secrets cost time, by a clock that nobody sets.
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
