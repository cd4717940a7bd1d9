package import Claims
import Federation
import Octets

/// A claim that the configuration of a service names, at one provider.
package struct NamedClaim: Hashable, Sendable {
  /// The name in the configuration.
  package let name: String
  /// The types that it stands for, in the order in which they count.
  package let types: [ClaimType]

  /// A claim that a configuration names.
  package init(_ name: String, _ types: [ClaimType]) {
    self.name = name
    self.types = types
  }

  /// Whether a set has no value of it.
  package func isMissing(in claims: ClaimSet) -> Bool {
    types.allSatisfy { claims.values(namedBy: $0).isEmpty }
  }
}

extension FederatedPrincipal {
  /// The most bytes of claims that a session keeps whatever they are: 64 KiB.
  package static let claimLimit = 64 << 10
  /// The most claims that a session keeps whatever they are. Each takes memory beside its text.
  package static let mostClaims = 4_096
  /// The most bytes of claims beyond ``claimLimit`` that no configuration names and pages or rules for sign-ins read.
  private static let ownLimit = 8 << 10

  /// The principal as a session keeps it: with all claims, or beyond ``claimLimit`` with those that the service names, and
  /// the mark that others were dropped.
  ///
  /// - Parameter named: The claims that the service names.
  package func bounded(keeping named: [NamedClaim]) -> Self {
    guard Self.isLarge(claims) else { return self }
    let listed = named.flatMap(\.types)
    // What a former sign-in of the session dropped stays unknown.
    let kept = keptTypes.map { former in former.filter(Set(listed).contains) } ?? listed
    let wanted = Set(kept + kept.compactMap { ClaimPath($0)?.roots }.joined())
    var room = Self.ownLimit
    var claims = claims.filter { claim in
      if wanted.contains(claim.type) { return true }
      let size = claim.type.name.utf8.count + claim.value.utf8.count
      guard Self.isRead(claim), size <= room else { return false }
      room -= size
      return true
    }
    if self.claims.lacksGroups, !ClaimSet(claims).lacksGroups {
      claims.append(Claim("hasgroups", "true", issuer: issuer))
    }
    return Self(
      issuer: issuer, subject: subject, claims: ClaimSet(claims), format: format,
      issuerSession: issuerSession, warnings: warnings, keptTypes: kept)
  }

  private static func isLarge(_ claims: ClaimSet) -> Bool {
    guard claims.count <= mostClaims else { return true }
    var size = 0
    for (type, values) in claims.grouped {
      size += type.name.utf8.count + values.reduce(0) { $0 + $1.utf8.count }
      if size > claimLimit { return true }
    }
    return false
  }

  /// Whether pages or rules for sign-ins read the claim though no configuration names it.
  private static func isRead(_ claim: Claim) -> Bool {
    let types: [ClaimType] = [.authenticationMethod, .authenticationInstant]
    return types.contains(claim.type) || ClaimName.displayName.contains(claim.type)
      || ClaimName.email.contains(claim.type)
      || ["acr", "amr", "auth_time"].containsBytes(of: claim.originalName)
  }
}

extension SignInSite {
  /// What a new session keeps of who signed in; the log names the claims that the service names and that are not there.
  func kept(_ finished: VerifiedSignIn, _ provider: SignInProvider) -> FederatedPrincipal {
    reportWarnings(finished.principal, provider)
    guard let namedClaims else { return finished.principal }
    let named = namedClaims(provider.id)
    reportMissing(named, finished.principal, provider)
    return finished.principal.bounded(keeping: named)
  }

  /// The ID token that a new session keeps, to be shown to the provider; nil for one that is as large as all claims may be.
  func keptIDToken(_ finished: VerifiedSignIn) -> Secret? {
    guard namedClaims != nil else { return finished.idToken }
    return finished.idToken.flatMap {
      $0.revealed.utf8.count <= FederatedPrincipal.claimLimit ? $0 : nil
    }
  }

  /// The most types of claims that one line of the log names.
  private static let mostReported = 64

  /// Says what a sign-in was accepted in spite of.
  private func reportWarnings(_ principal: FederatedPrincipal, _ provider: SignInProvider) {
    guard !principal.warnings.isEmpty else { return }
    observer.happened(
      Activity(
        "signin.warnings",
        [
          ("provider", provider.id),
          ("warnings", principal.warnings.prefix(Self.mostReported).joined(separator: "; ")),
        ]))
  }

  /// Says which claims a rule or a header names and the provider did not send, and which types it sent; no value.
  private func reportMissing(
    _ named: [NamedClaim], _ principal: FederatedPrincipal, _ provider: SignInProvider
  ) {
    let missing = named.filter { $0.isMissing(in: principal.claims) }
    guard !missing.isEmpty else { return }
    let received = principal.claims.grouped.map(\.type.name)
    observer.happened(
      Activity(
        "signin.claims-missing",
        [
          ("provider", provider.id), ("missing", Self.list(missing.map(\.name))),
          ("received", Self.list(received)),
        ]))
  }

  private static func list(_ names: [String]) -> String {
    var shown = names.prefix(mostReported).map { TokenError.unquoted(TokenError.excerpt($0)) }
    if names.count > mostReported { shown.append("and \(names.count - mostReported) more") }
    return shown.joined(separator: ", ")
  }
}
