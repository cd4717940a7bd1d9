/// What this one token must answer: the short-lived half of a decision.
public struct Expectations: Hashable, Sendable {
  /// The address that the token was delivered to, which a SAML bearer confirmation (and the response
  /// around it) must name. Nil to ask for none.
  public var recipient: String?
  /// The request that the token must answer: SAML names it as InResponseTo, a JWT as `nonce`, and a
  /// Simple Web Token cannot name one, so it is refused. Nil to ask for none.
  public var inResponseTo: String?

  /// Whether nothing was asked for.
  package var isEmpty: Bool { recipient == nil && inResponseTo == nil }

  /// Expects nothing in particular unless it is named.
  public init(recipient: String? = nil, inResponseTo: String? = nil) {
    self.recipient = recipient
    self.inResponseTo = inResponseTo
  }
}
