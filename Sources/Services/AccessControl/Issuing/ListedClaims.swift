import Claims
import Federation
import Octets
import TokenBasics

/// Claim types that a person may have several values of. The form of a claim depends on its type, not on how many values a
/// person happens to have: a reader that saw one group as a string would fail with the second one.
enum ListedClaims {
  /// The claims of JSON Web Tokens that are arrays by definition: `amr` of OpenID Connect Core 1.0, 2, and the others of
  /// RFC 9068, 2.2.3.1.
  static let arrays: Set<ClaimType> = ["amr", "groups", "roles", "entitlements"]

  /// Whether readers take a claim of that type as a list, and so split its value at commas in a Simple Web Token.
  static func isList(_ type: ClaimType) -> Bool {
    if let short = ClaimNaming.shortName(of: type), names.containsBytes(of: short) { return true }
    let last = type.name.utf8.split(whereSeparator: { "/:#".utf8.contains($0) }).last ?? []
    return names.containsBytes(of: String(decoding: last, as: UTF8.self).lowercasedASCII)
  }

  /// Short names, in lower case: of the claim-name table, and of the claims that OpenID Connect, RFC 9068, SCIM and
  /// eduPerson define as lists. An address of a claim counts by its last segment.
  private static let names = [
    "role", "roles", "group", "groups", "groupsid", "denyonlysid", "wids", "scp", "scope",
    "amr", "authnmethodsreferences", "entitlement", "entitlements", "permission", "permissions",
    "memberof", "ismemberof", "edupersonaffiliation", "edupersonscopedaffiliation",
    "edupersonentitlement", "edupersonassurance",
  ]

  /// Removes the values that a Simple Web Token cannot carry unchanged. Values of one type are joined with commas, so a value
  /// with a comma would be read as several values: `guests,admin` as the groups `guests` and `admin`.
  ///
  /// - Returns: The other claims, and the types of which a value was removed, each once.
  static func joinable(_ claims: ClaimSet) -> (kept: ClaimSet, leftOut: [ClaimType]) {
    let comma = UInt8(ascii: ",")
    guard claims.contains(where: { $0.value.utf8.contains(comma) }) else { return (claims, []) }
    let counts = Dictionary(claims.map { ($0.type, 1) }, uniquingKeysWith: +)
    var kept: [Claim] = []
    var leftOut: [ClaimType] = []
    for claim in claims {
      let isSplit =
        claim.value.utf8.contains(comma) && ((counts[claim.type] ?? 1) > 1 || isList(claim.type))
      if !isSplit {
        kept.append(claim)
      } else if !leftOut.contains(claim.type) {
        leftOut.append(claim.type)
      }
    }
    return (ClaimSet(kept), leftOut)
  }
}
