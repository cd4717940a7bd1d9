/// What this one token must answer: the short-lived half of a decision. Signed texts alone meet it.
public struct Expectations: Hashable, Sendable {
  /// The address that the token was delivered to: SAML 2.0 names it in the bearer confirmation, SAML 1.1
  /// in a response that is signed itself. Nothing else can name one and is refused
  /// (`response.recipient-unprovable`). Nil to expect none.
  public var recipient: String?
  /// The request that the token must answer: SAML names it as InResponseTo, in the same places, a JWT as
  /// `nonce`. Nothing else can name one and is refused (`response.in-response-to-unprovable`). Nil to
  /// expect none.
  public var inResponseTo: String?

  /// Whether nothing was asked for.
  package var isEmpty: Bool { recipient == nil && inResponseTo == nil }

  /// Expects nothing in particular unless it is named.
  public init(recipient: String? = nil, inResponseTo: String? = nil) {
    self.recipient = recipient
    self.inResponseTo = inResponseTo
  }
}
