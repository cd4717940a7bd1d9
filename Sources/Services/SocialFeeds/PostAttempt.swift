public import HTTPExchange
import Octets
public import TokenBasics

/// The identity of one post, made before it is first sent: repeating the same attempt cannot post twice
/// where the service supports such identities (Mastodon, Bluesky).
///
/// Store it with an unsent post, and reuse it after `feed.unknown-outcome`.
public struct PostAttempt: Sendable {
  /// 32 random hexadecimal digits.
  public let key: String
  /// The time at which the post was made, exact to a microsecond; Bluesky's `createdAt`.
  public let startedAt: Instant
  /// Whether it was sent before, so that the post may be there.
  var isRepeated = false

  /// A new identity with a random key.
  public init(at now: Instant, random: RandomSource = RandomSource()) {
    self.init(key: random.hex(16), startedAt: now)
  }

  /// The identity as one word, for a file or an option: microseconds since the epoch, and the key.
  public var text: String {
    let microseconds = max(0, startedAt.seconds) * 1_000_000 + Int64(startedAt.nanoseconds / 1_000)
    return "\(microseconds)-\(key)"
  }

  /// The identity that ``text`` wrote; nil for anything else.
  public init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].count <= 18, parts[0].allSatisfy(ASCII.isDigit),
      let microseconds = Int64(String(decoding: parts[0], as: UTF8.self)),
      parts[1].count == 32, parts[1].allSatisfy({ Hex.value($0) != nil })
    else { return nil }
    self.init(
      key: String(decoding: parts[1], as: UTF8.self),
      startedAt: Instant(
        secondsSinceEpoch: microseconds / 1_000_000,
        nanoseconds: Int32(microseconds % 1_000_000) * 1_000))
  }

  /// An identity that was stored.
  public init(key: String, startedAt: Instant) {
    self.key = key
    self.startedAt = startedAt
  }
}
