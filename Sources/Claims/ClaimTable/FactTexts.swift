package import Instants

/// What a token says of itself, as a ``ClaimTable`` has it; ``TokenFacts`` is how it is read.
package struct FactTexts: Sendable {
  let issuer: ClaimText
  let subject: ClaimText?
  let audiences: AudienceRestrictions
  let notBefore: Instant?
  let expires: Instant?
  let tokenID: ClaimText?

  /// Nothing, where it is left out.
  package init(
    issuer: ClaimText = .empty, subject: ClaimText? = nil,
    audiences: AudienceRestrictions = AudienceRestrictions(), notBefore: Instant? = nil,
    expires: Instant? = nil, tokenID: ClaimText? = nil
  ) {
    self.issuer = issuer
    self.subject = subject
    self.audiences = audiences
    self.notBefore = notBefore
    self.expires = expires
    self.tokenID = tokenID
  }
}
