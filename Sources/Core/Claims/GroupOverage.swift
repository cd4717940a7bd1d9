import Octets
import TokenBasics

/// Entra ID leaves the groups out of a token that has too many, above 200 in a JWT and 150 in SAML, and marks it. Whoever
/// takes no group for none lets in people whom a group keeps out.
extension ClaimSet {
  /// Whether a mark says that the groups are not in the token.
  package var lacksGroups: Bool {
    ClaimType.groupMarks.contains { type in self[type].contains { type.marksOverage(by: $0) } }
  }
}

extension ClaimType {
  /// The types of the marks: two of JWT, one of SAML.
  fileprivate static let groupMarks: [Self] = [claimNames, hasGroups, groupsLink]

  private static let claimNames: Self = "_claim_names"
  private static let hasGroups: Self = "hasgroups"
  private static let groupsLink: Self = "http://schemas.microsoft.com/claims/groups.link"

  /// Whether a claim of this type and that value is a mark.
  fileprivate func marksOverage(by value: String) -> Bool {
    switch self {
    case .groupsLink: true
    case .hasGroups: value.hasSameBytes(as: "true")
    case .claimNames:
      // Claims that are elsewhere, by name (OpenID Connect Core 1.0, 5.6.2).
      (try? JSONParser.parse(Array(value.utf8))).map { $0["groups"] != nil } ?? true
    default: false
    }
  }
}

extension ClaimProjection {
  /// The claims by which a service decides: those that the projection shows, and the marks under their own names.
  package func deciding(_ claims: some Sequence<Claim>) -> [Claim] {
    claims.compactMap { $0.type.marksOverage(by: $0.value) ? $0 : apply($0) }
  }
}

extension Verified {
  /// The claims by which a service decides, as the trust shows them.
  package var decidingClaims: ClaimSet {
    projection.prefixes.isEmpty ? claims : ClaimSet(projection.deciding(claims))
  }
}
