import SignIn
import Synchronization
import TokenBasics

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
  /// Long sign-ins of an address that are kept: 200 at once, and then two a second.
  let signIns: SenderLimit

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
    signIns = SenderLimit(BucketRate(burst: 200, perSecond: 2), uptime)
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
  private let uptime: Uptime
  private let buckets: Mutex<Buckets<String>>

  init(_ rate: BucketRate, _ uptime: Uptime) {
    self.uptime = uptime
    buckets = Mutex(Buckets(rate))
  }

  /// - Throws: `issuing.rate`.
  func take(_ sender: String) throws(TokenError) {
    let now = uptime.now
    let sender = CountedName.of(sender)
    let wait = buckets.withLock { buckets -> Duration? in
      buckets.take(sender, at: now) ? nil : buckets.wait(sender, at: now)
    }
    if let wait {
      RequestRecord.note(wait: wait)
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
