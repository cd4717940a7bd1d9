import Octets
import SignIn

extension ACSIdentityProvider {
  /// The person of a real provider: one verified name, and the claims by their URIs. A claim that is named like the name
  /// is none beside it, and what the protocol says of the token is no claim of the person.
  func subject(
    of principal: FederatedPrincipal
  ) throws(TokenError) -> SignedInSubject {
    let isWeb = principal.format == .jwt
    var claims: [Claim] = []
    for claim in principal.claims {
      if isWeb, TokenMember.isOfToken(claim.originalName) || TokenMember.isOfToken(claim.type.name)
      {
        continue
      }
      var claim = claim
      if let uri = ClaimNaming.uri(of: claim.type.name) {
        claim.type = ClaimType(uri)
      } else if isWeb, claim.type == "name", principal.claims["unique_name"].isEmpty {
        // The display name of OpenID Connect; beside Microsoft's `unique_name` the type would have two values.
        claim.type = .name
      }
      if claim.type != .nameIdentifier { claims.append(claim) }
    }
    let (name, shown) = try names(of: principal)
    if !shown.isEmpty { claims.insert(Claim(.nameIdentifier, shown), at: 0) }
    var subject = SignedInSubject(ClaimSet(claims), from: .provider(id), name: name)
    let said = principal.claims
    let isConfirmed =
      !isWeb || said.filter { $0.type == "email_verified" }.map(\.value) == ["true"]
    if isConfirmed {
      subject.emails = claims.filter { $0.type == .emailAddress }.map(\.value)
        .filter(isAuthoritative)
    }
    if !principal.issuer.isEmpty { subject.authorities = [principal.issuer] }
    subject.authenticated = Self.instant(said)
    let stated = said.filter {
      $0.originalName.hasSameBytes(as: "acr") || $0.type == .authenticationMethod
    }
    if stated.count == 1 { subject.context = ownContext(stated.first?.value) }
    if isWeb {
      subject.methods = said.filter { $0.originalName.hasSameBytes(as: "amr") }.map(\.value)
    }
    return subject
  }

  /// The name that lasts, nil for none, and the one that rules see: a rule may want to see even one that does not last.
  private func names(
    of principal: FederatedPrincipal
  ) throws(TokenError) -> (lasting: String?, shown: String) {
    guard let type = subjectType else {
      let isTransient = principal.issuerSession.name?.format == NameFormat.transient
      let name = principal.subject
      return (name.isEmpty || isTransient ? nil : name, name)
    }
    let values = principal.claims.filter {
      $0.type == type || ClaimNaming.uri(of: $0.type.name) == type.name
    }.map(\.value)
    guard values.count == 1, let value = values.first, !value.isEmpty else {
      throw TokenError(
        .issuingSubject, node: id, expected: "one value of \(type.name)",
        found: "\(values.count)")
    }
    return (value, value)
  }

  /// When the provider signed the person in: of several instants the first.
  private static func instant(_ claims: ClaimSet) -> Instant? {
    claims.compactMap { claim -> Instant? in
      if claim.type == .authenticationInstant { return try? Instant(dateTime: claim.value) }
      guard claim.type == "auth_time", let seconds = Double(claim.value), seconds >= 0,
        seconds < 253_402_300_800
      else { return nil }
      return Instant(secondsSinceEpoch: Int64(seconds))
    }.min()
  }
}
