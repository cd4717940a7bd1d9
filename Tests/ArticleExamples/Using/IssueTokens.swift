import Federation

/// A JSON Web Token and a SAML 2.0 response that say the same of one person.
///
/// - Parameters:
///   - issuer: The name under which relying parties trust the key.
///   - recipient: The address that takes the response.
func issue(
  for person: String, by issuer: String, to audience: String, recipient: String, key: SigningKey,
  at now: Instant
) throws -> (jwt: [UInt8], response: [UInt8]) {
  let draft = TokenDraft(
    issuer: issuer, audiences: [audience], subject: person,
    claims: ClaimSet([Claim("role", "editor")]), issuedAt: now, lifetime: 300)
  let response = try SAMLIssuer(.v2, key: key).response(
    draft, delivery: SAMLDelivery(recipient: recipient))
  return (try JSONWebToken.mint(draft, key: key, keyID: "2030-1"), response)
}
