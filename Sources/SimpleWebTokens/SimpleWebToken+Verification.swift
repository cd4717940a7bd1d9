public import Claims
import SecurityKeys
public import TokenErrors

extension SimpleWebToken {
  /// MAC over the octets as received, then issuer, audience and expiry.
  public func _verify(in context: inout VerificationContext) throws(TokenError) -> VerifiedContent {
    context.pass(.structure)
    let facts = unverifiedFacts
    let ring = try context.keys(for: facts, .swt, node: "Issuer")
    let match: KeyRing.Match
    do {
      // Lent from what was received: another slice of it would be counted.
      match = try ring.match(
        mac.span, over: received.span.extracting(first: signedEnd), .hmacSHA256, at: context.now)
    } catch {
      let error = error.code == .signatureInvalid ? macMismatch(error) : error
      context.fail(.signature, error)
      throw error
    }
    context.warn(match.warnings)
    context.pass(.signature, node: "HMACSHA256", found: match.key.fingerprint)

    context.checkAudiences(of: facts, node: "Audience")
    do throws(TokenError) {
      var expires = facts.expires
      if expires == nil { expires = try expiry() }
      context.checkWindow(notBefore: nil, expires: expires, node: "ExpiresOn")
    } catch {
      context.fail(.time, error)
    }
    return VerifiedContent(
      facts: facts, claims: unverifiedClaims,
      signedBy: Signer(match))
  }

  private func macMismatch(_ error: TokenError) -> TokenError {
    TokenError(.macMismatch, node: "HMACSHA256", expected: error.expected)
  }
}
