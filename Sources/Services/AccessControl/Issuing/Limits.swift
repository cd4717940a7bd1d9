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

    var rate: BucketRate {
      switch self {
      case .pair: BucketRate(burst: 10, perSecond: 0.1)
      case .address: BucketRate(burst: 100, perSecond: 1)
      case .name: BucketRate(burst: 1_000, perSecond: 1)
      }
    }
  }

  private struct State {
    var buckets = Buckets<Key>()
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
      return keys.contains { !state.buckets.hasOne($0, at: now) }
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
      var isWithin = true
      for key in [Key.pair(name, address), .address(address), .name(name)]
      where !state.buckets.take(key, key.rate, at: now) {
        isWithin = false
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

  private static let mostKnown = 10_000
}

/// How many requests for tokens a service takes a second; nil for no limit.
public struct RequestRates: Equatable, Sendable {
  /// Of all senders together.
  public var all: Int?
  /// Of one network address, of IPv6 the first 64 bits.
  public var perAddress: Int?
  /// Of one client or service identity, once it showed who it is.
  public var perIdentity: Int?

  /// Rates.
  public init(all: Int? = nil, perAddress: Int? = nil, perIdentity: Int? = nil) {
    self.all = all
    self.perAddress = perAddress
    self.perIdentity = perIdentity
  }
}

/// What programs may ask, by a monotonic clock.
struct RequestLimits: Sendable {
  private let all: RateLimit?
  private let addresses: SenderLimit?
  private let identities: SenderLimit?
  /// Clients that an address may register: ten at once, and then one in a minute.
  let registrations: SenderLimit
  /// Requests that an address may push without showing who it is: a hundred at once, and then two a second.
  let pushes: SenderLimit

  private let rates: RequestRates

  /// These limits where the rates are the same, with what was counted; else new ones.
  func with(_ rates: RequestRates, _ uptime: Uptime) -> Self {
    rates == self.rates ? self : Self(rates, uptime)
  }

  init(_ rates: RequestRates, _ uptime: Uptime) {
    self.rates = rates
    all = rates.all.map { RateLimit(perSecond: $0, uptime) }
    addresses = rates.perAddress.map { SenderLimit(BucketRate(perSecond: $0), uptime) }
    identities = rates.perIdentity.map { SenderLimit(BucketRate(perSecond: $0), uptime) }
    registrations = SenderLimit(BucketRate(burst: 10, perSecond: 1 / 60), uptime)
    pushes = SenderLimit(BucketRate(burst: 100, perSecond: 2), uptime)
  }

  /// - Parameter address: Nil where it is not known.
  /// - Throws: `issuing.rate`.
  func admit(from address: String?) throws(TokenError) {
    // The sender's own first: one that is held back takes nothing of what others have.
    try addresses?.take(address ?? "")
    try all?.take()
  }

  /// - Throws: `issuing.rate`.
  func admit(_ identity: String) throws(TokenError) { try identities?.take(identity) }
}

/// Lets each of many senders do so much in a time.
final class SenderLimit: Sendable {
  private let rate: BucketRate
  private let uptime: Uptime
  private let buckets = Mutex(Buckets<String>())

  init(_ rate: BucketRate, _ uptime: Uptime) {
    self.rate = rate
    self.uptime = uptime
  }

  /// - Throws: `issuing.rate`.
  func take(_ sender: String) throws(TokenError) {
    let now = uptime.now
    guard buckets.withLock({ $0.take(sender, rate, at: now) }) else {
      throw TokenError(.issuingRate, expected: "fewer requests of one sender", found: "too many")
    }
  }
}

/// Lets so many requests through a second, and as many at once.
final class RateLimit: Sendable {
  private let perSecond: Int
  private let uptime: Uptime
  private let bucket: Mutex<Bucket>

  init(perSecond: Int, _ uptime: Uptime) {
    self.perSecond = max(1, perSecond)
    self.uptime = uptime
    bucket = Mutex(Bucket(BucketRate(perSecond: max(1, perSecond)), at: uptime.now))
  }

  /// - Throws: `issuing.rate`.
  func take() throws(TokenError) {
    let now = uptime.now
    guard bucket.withLock({ $0.take(at: now) }) else {
      throw TokenError(.issuingRate, expected: "at most \(perSecond) a second")
    }
  }
}

/// Token buckets by what they count. Memory has a bound: those that say nothing are dropped, and where that is not enough
/// those that say least, so that a guesser who is held back is not set free by guesses under many other names.
struct Buckets<Key: Hashable & Sendable>: Sendable {
  private var all: [Key: Bucket] = [:]

  /// Whether there is one left.
  mutating func hasOne(_ key: Key, at now: Duration) -> Bool {
    all[key]?.hasOne(at: now) ?? true
  }

  /// Takes one; false where there is none.
  mutating func take(_ key: Key, _ rate: BucketRate, at now: Duration) -> Bool {
    if all.count > most { drop(now) }
    return all[key, default: Bucket(rate, at: now)].take(at: now)
  }

  private mutating func drop(_ now: Duration) {
    all = all.filter { entry in
      var bucket = entry.value
      return !bucket.isFull(at: now)
    }
    guard all.count > most else { return }
    // Half of them, so that this is not done again with the next one.
    let levels = all.map { entry in
      var bucket = entry.value
      return (key: entry.key, level: bucket.level(at: now))
    }
    for (key, _) in levels.sorted(by: { $0.level > $1.level }).prefix(all.count - most / 2) {
      all[key] = nil
    }
  }

  private var most: Int { 20_000 }
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
  mutating func isFull(at now: Duration) -> Bool { level(at: now) >= 1 }

  /// How much is left of all that there may be: 1 for all.
  mutating func level(at now: Duration) -> Double {
    fill(at: now)
    return left / rate.burst
  }

  private mutating func fill(at now: Duration) {
    let elapsed =
      Double((now - last).components.seconds)
      + Double((now - last).components.attoseconds) / 1e18
    left = min(rate.burst, left + elapsed * rate.perSecond)
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
    // The system writes an IPv4 address in one way.
    guard let address, address.utf8.contains(UInt8(ascii: ":")),
      let octets = IPAddress(address.prefix { $0 != "%" })?.octets
    else { return address }
    // An IPv4 address in one of IPv6 (RFC 4291, 2.5.5) has four.
    guard octets.count == 16 else { return octets.map(String.init).joined(separator: ".") }
    return stride(from: 0, to: 8, by: 2).map { place in
      String(Int(octets[place]) << 8 | Int(octets[place + 1]), radix: 16)
    }.joined(separator: ":")
  }
}
