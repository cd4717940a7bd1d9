import Claims
import Octets
import SignIn
import TokenBasics

extension GateConfiguration {
  /// The claims that rules, headers and the signed identity name and that a subject lacks, by their names in the file: each once.
  package func missingClaims(of subject: GateSubject) -> [String] {
    let named = NamedClaim.all(
      allRules, allHeaders, identityToken?.members ?? [], at: subject.provider, subject.sources)
    var missing: [String] = []
    for claim in named
    where claim.isMissing(in: subject.claims) && !missing.containsBytes(of: claim.name) {
      missing.append(claim.name)
    }
    return missing
  }
}

extension NamedClaim {
  /// The claims that rules, headers and members of a signed identity name at a provider, with the provider's further names. What comes
  /// from the session, such as the subject, is none.
  static func all(
    _ rules: [GateRule], _ headers: [HeaderRule], _ members: [IdentityToken.Member],
    at provider: String, _ sources: ClaimSources
  ) -> [NamedClaim] {
    let named =
      rules.map { ($0.claim, $0.claims, $0.counted) }
      + headers.map { ($0.claim, $0.claims, $0.counted) }
      + members.map { ($0.claim, $0.claims, $0.counted) }
    return named.compactMap { name, types, counted in
      guard let first = types.first, counted.contains(provider),
        Set(types).isDisjoint(with: GateClaim.reserved)
      else { return nil }
      return NamedClaim(name.isEmpty ? first.name : name, sources.types(for: types))
    }
  }
}
