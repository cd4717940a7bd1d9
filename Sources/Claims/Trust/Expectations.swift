/// What the caller expects of one token: the short-lived half of a decision. Only signed texts meet it.
public struct Expectations: Hashable, Sendable {
  /// The address that the token was delivered to: SAML 2.0 names it in the bearer confirmation, SAML 1.1
  /// in a response that is signed itself. Nothing else can name one and is refused
  /// (`response.recipient-unprovable`). Nil to expect none.
  public var recipient: String?
  /// The request to which the token must respond: SAML names it as InResponseTo, in the same places, a JWT as
  /// `nonce`. Nothing else can name one and is refused (`response.in-response-to-unprovable`). Nil to
  /// expect none.
  public var inResponseTo: String?

  /// Whether the token may respond to no request: one that names a request was asked for by another browser.
  package var isUnsolicited = false

  /// Whether nothing is expected.
  package var isEmpty: Bool { recipient == nil && inResponseTo == nil }

  /// Expectations; what is left out is not expected.
  public init(recipient: String? = nil, inResponseTo: String? = nil) {
    self.recipient = recipient
    self.inResponseTo = inResponseTo
  }
}
