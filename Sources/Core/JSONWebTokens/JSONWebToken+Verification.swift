public import Claims
import Octets
package import SecurityKeys
public import TokenBasics

extension JSONWebToken {
  /// The algorithm that the header names, if it is supported.
  package var signatureAlgorithm: SignatureAlgorithm? {
    signed.signatureAlgorithm
  }

  /// Verifies the signature over the octets as received, then issuer, audience and times, and the
  /// nonce where a request is expected (OpenID Connect Core 1.0, 3.1.3.7, 11).
  public func _verify(in context: inout VerificationContext) throws(TokenError) -> VerifiedContent {
    context.pass(.structure)
    let facts = facts.facts
    let entry = try context.entry(forIssuer: facts.issuerBytes, .jwt, node: "iss")
    let now = context.now
    let match = try context.require(.signature) { _ throws(TokenError) in
      try signed.match(entry.ring, at: now)
    }
    context.pass(signature: match, node: "signature")
    context.check(
      facts.audienceRestrictions, in: facts.table, node: "aud", advice: { audienceAdvice($0) })
    context.checkWindow(notBefore: facts.notBefore, expires: facts.expires, node: "exp")
    if let issuedAt = self.facts.issuedAt { context.checkIssueInstant(issuedAt, node: "iat") }
    if let request = context.expectations.inResponseTo {
      context.check(
        .request, request, isMetBy: self.facts.nonce.map { SignedText($0, coveredBy: match) },
        missing: .responseUnsolicited, mismatch: .responseRequestMismatch, node: "nonce")
    }
    // The format has no field for it.
    context.refuseRecipient()
    context.refuseKeyBinding()
    refuseWithoutProof(&context)
    return VerifiedContent(facts: namedFacts, signedBy: Signer(match), by: entry)
  }

  /// Refuses a token that is bound to a key of DPoP or of a TLS client: without the proof it is worth nothing.
  private func refuseWithoutProof(_ context: inout VerificationContext) {
    guard hasMember("cnf"), let confirmation = JSONValue(payloadDocument)["cnf"] else { return }
    for name in ["jkt", "x5t#S256"] where confirmation[name] != nil {
      context.fail(
        .binding,
        TokenError(
          .possessionMissing, node: "cnf.\(name)", expected: "a proof of possession",
          found: "nothing"))
    }
  }

  /// What to say of a token for none of our audiences, by the audiences that it names.
  private func audienceAdvice(_ named: [String]) -> AudienceAdvice? {
    if named.isEmpty, let client = payloadText("client_id") {
      let shown = TokenError.excerpt(client)
      return AudienceAdvice(
        found: "no aud, client_id \(shown)",
        hint: "an access token of Amazon Cognito has no aud and names the client in client_id, "
          + "\(shown) here: send "
          + "the ID token, which has one, or accept any audience and compare client_id "
          + "yourself")
    }
    // Keycloak's own service, for which every client of a realm gets tokens.
    if named.count == 1, named[0].hasSameBytes(as: "account"), let client = payloadText("azp") {
      return AudienceAdvice(
        hint: "account is Keycloak's own service and is in every token of the realm: do not trust "
          + "it as an "
          + "audience; add an audience mapper for your service to the client "
          + "\(TokenError.excerpt(client))")
    }
    return nil
  }
}
