public import Claims
public import SAML
public import TokenErrors

extension SAMLIssuer {
  /// A WS-Trust response (February 2005) around a signed assertion: the `wresult` of a WS-Federation
  /// sign-in, as ACS and ADFS post it.
  ///
  /// Nothing in the envelope is signed; its lifetime and audience repeat the assertion's for readers
  /// of the envelope. As in theirs, its creation is the beginning of the assertion's validity.
  ///
  /// - Throws: as `assertion(_:delivery:)`.
  public func tokenResponse(
    _ draft: TokenDraft, delivery: SAMLDelivery = SAMLDelivery()
  ) throws(TokenError) -> [UInt8] {
    let assertion = try assertionFragment(draft, delivery)
    return try TokenResponse(
      token: assertion, type: version == .v2 ? TokenTypeURI.saml20 : TokenTypeURI.saml11,
      created: draft.validFrom, expires: draft.expires,
      appliesTo: draft.audiences.count == 1 ? draft.audiences.first : nil
    ).octets()
  }
}
