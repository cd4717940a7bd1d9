public import FederationClient
public import Instants
import Octets

/// The identity of one post, made before it is sent first: sending the same attempt again cannot post
/// twice where the service knows such identities (Mastodon, Bluesky).
///
/// Keep it with an unsent post, and use it again after `feed.unknown-outcome`.
public struct PostAttempt: Sendable {
  /// 32 random hexadecimal digits.
  public let key: String
  /// When the person pressed the button.
  public let startedAt: Instant

  /// Makes the identity of a new post.
  public init(at now: Instant, random: RandomOctets = RandomOctets()) {
    self.init(key: random.hex(16), startedAt: now)
  }

  /// The identity of a post that was kept.
  public init(key: String, startedAt: Instant) {
    self.key = key
    self.startedAt = startedAt
  }
}
