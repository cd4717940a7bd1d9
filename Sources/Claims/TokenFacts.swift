public import Instants

/// What a token says of itself besides its claims.
public struct TokenFacts: Hashable, Sendable {
  /// Who issued it.
  public var issuer: String
  /// Whom it is about: the name identifier of SAML, `sub` of JWT, the `nameidentifier` claim of SWT.
  public var subject: String?
  /// Whom it is for, in document order.
  public var audiences: [String]
  /// From when on it is valid.
  public var notBefore: Instant?
  /// From when on it is no longer valid.
  public var expires: Instant?
  /// Its identifier, unique at the issuer.
  public var tokenID: String?

  /// Facts of a token.
  public init(
    issuer: String = "", subject: String? = nil, audiences: [String] = [],
    notBefore: Instant? = nil, expires: Instant? = nil, tokenID: String? = nil
  ) {
    self.issuer = issuer
    self.subject = subject
    self.audiences = audiences
    self.notBefore = notBefore
    self.expires = expires
    self.tokenID = tokenID
  }
}
