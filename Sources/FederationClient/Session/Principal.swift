import Octets

/// Who is signed in: whoever vouches for the person, and the person's identifier there.
///
/// Both together are the key. An identifier alone belongs to a different person at every provider, and
/// an e-mail address proves nothing across providers: neither is offered as a key.
public struct Principal: Hashable, Sendable {
  /// The identity provider where the token names one, else the token's issuer.
  public let authority: String
  /// The stable identifier at ``authority``.
  public let subject: String

  /// A principal.
  public init(authority: String, subject: String) {
    self.authority = authority
    self.subject = subject
  }

  /// By octets: no letter is taken for another that looks or sorts alike.
  public static func == (left: Self, right: Self) -> Bool {
    left.authority.hasSameBytes(as: right.authority) && left.subject.hasSameBytes(as: right.subject)
  }

  /// Hashes authority and subject.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(authority)
    hasher.combine(subject)
  }
}
