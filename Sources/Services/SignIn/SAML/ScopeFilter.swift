import Federation
import Octets

/// Withholds scoped attributes whose scope is not the issuer's (SEM-20; Shibboleth Metadata Extension).
struct ScopeFilter {
  private let scopes: [String]

  init(_ scopes: [String]) { self.scopes = scopes }

  /// The attributes whose values are `name@scope` (eduPerson 202208; SAML Subject Identifier Attributes).
  private static let scoped: [ClaimType] = [
    "urn:oid:1.3.6.1.4.1.5923.1.1.1.6", "eduPersonPrincipalName",
    "urn:oid:1.3.6.1.4.1.5923.1.1.1.9", "eduPersonScopedAffiliation",
    "urn:oid:1.3.6.1.4.1.5923.1.1.1.13", "eduPersonUniqueId",
    "urn:oasis:names:tc:SAML:attribute:subject-id",
    "urn:oasis:names:tc:SAML:attribute:pairwise-id",
  ]

  /// The claims without those out of scope, and the types of these. Without scopes in the metadata there is
  /// nothing to compare with.
  func apply(to claims: ClaimSet) -> (claims: ClaimSet, dropped: [ClaimType]) {
    guard !scopes.isEmpty else { return (claims, []) }
    var dropped: [ClaimType] = []
    let kept = claims.filter { claim in
      guard Self.scoped.contains(claim.type), !isInScope(claim.value) else { return true }
      dropped.append(claim.type)
      return false
    }
    return dropped.isEmpty ? (claims, []) : (ClaimSet(kept), dropped)
  }

  /// Whether there is exactly one `@`, and behind it, without case, a scope of the issuer.
  private func isInScope(_ value: String) -> Bool {
    let parts = value.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return false }
    return scopes.contains { scope in
      scope.utf8.elementsEqual(parts[1]) { ASCII.lowercased($0) == ASCII.lowercased($1) }
    }
  }
}
