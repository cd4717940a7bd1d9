package import Instants

/// The facts of a token, as a ``ClaimTable`` stores them; ``TokenFacts`` reads them.
package struct FactTexts: Sendable {
  let issuer: ClaimText
  let subject: ClaimText?
  let audiences: AudienceRestrictions
  let notBefore: Instant?
  let expires: Instant?
  let issued: Instant?
  let tokenID: ClaimText?
  let sessionIndex: ClaimText?
  let sessionEnd: Instant?

  /// Facts; what is left out is absent.
  package init(
    issuer: ClaimText = .empty, subject: ClaimText? = nil,
    audiences: AudienceRestrictions = AudienceRestrictions(), notBefore: Instant? = nil,
    expires: Instant? = nil, issued: Instant? = nil, tokenID: ClaimText? = nil,
    sessionIndex: ClaimText? = nil, sessionEnd: Instant? = nil
  ) {
    self.issuer = issuer
    self.subject = subject
    self.audiences = audiences
    self.notBefore = notBefore
    self.expires = expires
    self.issued = issued
    self.tokenID = tokenID
    self.sessionIndex = sessionIndex
    self.sessionEnd = sessionEnd
  }
}
