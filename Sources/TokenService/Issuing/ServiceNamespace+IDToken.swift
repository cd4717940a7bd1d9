import Federation
import Octets

extension ServiceNamespace {
  /// An ID token (OpenID Connect Core 1.0, 2) with the claims that the rules give.
  ///
  /// The subject is a digest of the identity provider and the name identifier: one alone would name different people.
  ///
  /// - Throws: `rules.*`, `issuing.no-certificate`, `policy.mint-*`.
  public func idToken(
    _ claims: ClaimSet, from source: RuleIssuer, to party: RelyingParty, nonce: String?,
    at now: Instant
  ) throws(TokenError) -> [UInt8] {
    let ruled = try engine(of: party).evaluate(claims, from: source, issuer: issuer)
    let provider = source.name ?? issuer
    guard let key = keys.signing else { throw TokenError(.issuingNoCertificate, node: party.name) }
    var draft = draft(ruled, provider: provider, to: party, at: now)
    let name = draft.claims.single(.nameIdentifier) ?? claims.single(.nameIdentifier) ?? ""
    let text = Array("\(provider.utf8.count):\(provider)\(name)".utf8)
    draft.subject = Base64.encode(DigestAlgorithm.sha256.digest(of: text) ?? [], .url)
    draft.claims = ClaimSet(
      draft.claims.map { claim in
        var claim = claim
        let name = Self.standard[claim.type] ?? ClaimNaming.shortName(of: claim.type)
        if let name { claim.type = ClaimType(name) }
        return claim
      } + (nonce.map { [Claim("nonce", $0)] } ?? []))
    return try JSONWebToken.mint(
      draft, key: key, keyID: key.certificate.map { Self.keyID(of: $0) })
  }

  /// Names of OpenID Connect Core 1.0, 5.1, where Microsoft's differ.
  private static let standard: [ClaimType: String] = [.name: "name"]
}
