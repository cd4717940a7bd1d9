public import FederationClient
public import Instants
import Octets

/// The identity of one post, made before it is first sent: repeating the same attempt cannot post twice
/// where the service supports such identities (Mastodon, Bluesky).
///
/// Store it with an unsent post, and reuse it after `feed.unknown-outcome`.
public struct PostAttempt: Sendable {
  /// 32 random hexadecimal digits.
  public let key: String
  /// The time at which the post was made; Bluesky's `createdAt`.
  public let startedAt: Instant

  /// A new identity with a random key.
  public init(at now: Instant, random: RandomOctets = RandomOctets()) {
    self.init(key: random.hex(16), startedAt: now)
  }

  /// An identity that was stored.
  public init(key: String, startedAt: Instant) {
    self.key = key
    self.startedAt = startedAt
  }
}
