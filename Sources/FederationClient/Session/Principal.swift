import Octets

/// The identity of a signed-in person: an authority and the person's identifier there.
///
/// Use both together as the key. The same identifier belongs to different persons at different providers,
/// and an e-mail address proves nothing across providers: neither alone is offered as a key.
public struct Principal: Hashable, Sendable {
  /// The identity provider if the token names one, else the token's issuer.
  public let authority: String
  /// The stable identifier at ``authority``.
  public let subject: String

  /// The person with that identifier at that authority.
  public init(authority: String, subject: String) {
    self.authority = authority
    self.subject = subject
  }

  /// Compares octets, without Unicode normalization.
  public static func == (left: Self, right: Self) -> Bool {
    left.authority.hasSameBytes(as: right.authority) && left.subject.hasSameBytes(as: right.subject)
  }

  /// Hashes both parts.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(authority)
    hasher.combine(subject)
  }
}
