public import Claims
package import SecurityKeys
public import TokenBasics

extension SimpleWebToken {
  /// Verifies the MAC over the octets as received, then issuer, audience and expiry.
  public func _verify(in context: inout VerificationContext) throws(TokenError) -> VerifiedContent {
    context.pass(.structure)
    let facts = unverifiedFacts
    let entry = try context.entry(forIssuer: facts.issuerBytes, .swt, node: "Issuer")
    let match = try match(entry.ring, &context)
    context.pass(signature: match, node: "HMACSHA256", namesAlgorithm: false)

    context.check(facts.audienceRestrictions, in: facts.table, node: "Audience")
    do throws(TokenError) {
      var expires = facts.expires
      if expires == nil { expires = try expiry() }
      context.checkWindow(notBefore: nil, expires: expires, node: "ExpiresOn")
    } catch {
      context.fail(.time, error)
    }
    // The format has a field for neither.
    context.refuseRecipient()
    context.refuseKeyBinding()
    context.refuseRequest()
    return VerifiedContent(facts: facts, signedBy: Signer(consume match), by: entry)
  }

  /// Whether the MAC is that of a key, for a token about whose issuer nothing else is asked: a client's assertion
  /// about itself.
  package func isAuthentic(by key: SymmetricKey) -> Bool {
    key.isMAC(mac.span, of: received.span.extracting(first: signedEnd), with: .sha256)
  }

  private func match(
    _ ring: KeyRing, _ context: inout VerificationContext
  ) throws(TokenError) -> KeyRing.Match {
    do {
      // Borrowed from the received octets: another slice would retain them.
      return try ring.match(
        mac.span, over: received.span.extracting(first: signedEnd), .hmacSHA256, at: context.now)
    } catch {
      let error = error.code == .signatureInvalid ? macMismatch(error) : error
      context.fail(.signature, error)
      throw error
    }
  }

  private func macMismatch(_ error: TokenError) -> TokenError {
    TokenError(.macMismatch, node: "HMACSHA256", expected: error.expected)
  }
}
