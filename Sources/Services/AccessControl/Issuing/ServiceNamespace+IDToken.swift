import Claims
public import Instants
import Federation
import Octets
public import TokenErrors

extension ServiceNamespace {
  /// An ID token (OpenID Connect Core 1.0, 2) with the claims that the rules give.
  ///
  /// Its subject is ours (8.1), and no claim that is named like one stands beside it. When and how the subject was
  /// authenticated is what the source says; an e-mail address comes with whether the source vouches for it (5.1).
  ///
  /// - Throws: `rules.*`, `issuing.subject`, `issuing.no-certificate`, `issuing.no-identifier-key`, `policy.mint-*`.
  public func idToken(
    _ subject: SignedInSubject, to party: RelyingParty, nonce: String?, at now: Instant
  ) throws(TokenError) -> [UInt8] {
    let identifier = try identifier(of: subject, for: party)
    let ruled = try engine(of: party).evaluate(
      subject.claims, from: subject.source, issuer: issuer)
    guard let key = keys.signing else { throw TokenError(.issuingNoCertificate, node: party.name) }
    var draft = draft(
      ruled, provider: subject.source.name ?? issuer, to: party, as: .jwt, at: now)
    draft.subject = identifier
    var claims = draft.claims.filter { $0.type != .nameIdentifier }.map { claim in
      var claim = claim
      let name = Self.standard[claim.type] ?? ClaimNaming.shortName(of: claim.type)
      if let name { claim.type = ClaimType(name) }
      return claim
    }
    if let nonce { claims.append(Claim("nonce", nonce)) }
    if let instant = subject.authenticated {
      claims.append(Claim("auth_time", "\(max(0, instant.seconds))", valueType: Claim.jsonType))
    }
    if let context = subject.context { claims.append(Claim("acr", context)) }
    let emails = draft.claims[.emailAddress]
    if !emails.isEmpty {
      let isVerified = emails.count == 1 && emails.allSatisfy { isVouched($0, subject, ruled) }
      claims.append(Claim("email_verified", "\(isVerified)", valueType: Claim.jsonType))
    }
    draft.claims = ClaimSet(claims)
    return try JSONWebToken.mint(
      draft, key: key, keyID: key.certificate.map { Self.keyID(of: $0) })
  }

  /// Whether an e-mail address may stand for the subject: the source vouches for it, or whoever wrote the rules fixed it.
  func isVouched(_ email: String, _ subject: SignedInSubject, _ ruled: [RuledClaim]) -> Bool {
    subject.emails.contains { $0.hasSameBytes(as: email) }
      || ruled.contains {
        $0.claim.type == .emailAddress && $0.claim.value.hasSameBytes(as: email)
          && $0.rule.outputValue != nil
      }
  }

  /// Names of OpenID Connect Core 1.0, 5.1, where Microsoft's differ.
  private static let standard: [ClaimType: String] = [.name: "name"]
}
