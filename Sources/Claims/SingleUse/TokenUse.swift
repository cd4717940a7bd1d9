public import Instants

/// One use of a token, a sign-in or a request that is good for one use.
public struct TokenUse: Sendable {
  /// When it came into being, by whose clock. A store that began later cannot know whether it was used.
  public enum Origin: Hashable, Sendable {
    /// Begun by this service, by the clock of a node.
    case begun(Instant)
    /// Issued by another party, by its clock; nil where it does not say when.
    case issued(Instant?)
  }

  /// What is used.
  public let identity: TokenIdentity
  /// When it came into being.
  public let origin: Origin
  /// The end of its validity as it states it, without skew.
  public let end: Instant
  /// Seconds after ``end`` during which it is accepted all the same.
  public let skew: Int64

  /// A use of something that is valid until `end`, and accepted for `skew` seconds more.
  public init(
    _ identity: TokenIdentity, _ origin: Origin, until end: Instant, skew: Int64 = 0
  ) {
    self.identity = identity
    self.origin = origin
    self.end = end
    self.skew = skew
  }

  /// The one use of a sign-in, which every node remembers until it has expired by the clock of each.
  package init(signIn state: String, begun: Instant, until end: Instant) {
    self.init(
      TokenIdentity(signIn: state), .begun(begun), until: end, skew: Self.clockDifference)
  }

  /// Seconds by which the clock of another node may be behind: 600, the largest skew that a trust may have.
  package static let clockDifference: Int64 = 600
}
