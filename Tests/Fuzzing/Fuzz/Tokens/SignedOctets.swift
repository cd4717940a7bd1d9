import Federation
import SAML
import XMLTree

/// The detached check: the digested octets, parsed on their own, contain what was accepted.
enum SignedOctets {
  static func check(_ token: AnyToken, _ verified: Verified<AnyToken>, _ world: World) {
    // Without a visible signature, the assertion was encrypted.
    guard case .saml(let saml) = token, let octets = saml.digestedOctets else { return }
    do {
      let again = try SAMLToken(parsing: octets)
      let facts = try again.unverifiedFacts(decryptionKeys: world.trust.privateKeys)
      require(facts == verified.facts, "the digested octets have the accepted facts")
      // A prefix inside a value has no declaration there, so value types are not compared.
      require(
        facts.claims.map(Statement.init) == verified.claims.map(Statement.init),
        "the digested octets have the accepted claims")
    } catch {
      fail("the digested octets cannot be read: \(error)")
    }
  }

  private struct Statement: Hashable {
    let type: String
    let value: String
    let issuer: String

    init(_ claim: Claim) {
      type = claim.type.name
      value = claim.value
      issuer = claim.issuer
    }
  }
}
