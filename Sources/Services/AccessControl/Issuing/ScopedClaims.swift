import Claims
import Federation
import Octets
import TokenBasics

/// The claims that a scope stands for (OpenID Connect Core 1.0, 5.4). What the standard does not name, the rules alone decide.
enum ScopedClaims {
  /// The claims of each scope.
  private static let names: [(scope: String, claims: [String])] = [
    (
      "profile",
      [
        "name", "family_name", "given_name", "middle_name", "nickname", "preferred_username",
        "profile", "picture", "website", "gender", "birthdate", "zoneinfo", "locale", "updated_at",
      ]
    ), ("email", ["email", "email_verified"]), ("address", ["address"]),
    ("phone", ["phone_number", "phone_number_verified"]),
  ]

  /// The scopes that there are beside those of relying parties.
  static let scopes = ["openid"] + names.map(\.scope) + ["offline_access"]

  /// Whether a claim belongs to a token with these scopes.
  static func contains(_ name: String, _ scopes: [String]) -> Bool {
    guard let owner = names.first(where: { $0.claims.containsBytes(of: name) }) else { return true }
    return scopes.contains(owner.scope)
  }
}

extension ServiceNamespace {
  /// What the UserInfo endpoint says of a subject (OpenID Connect Core 1.0, 5.3.2): the `sub` of the ID token, and the claims
  /// that the rules and the scopes give now.
  ///
  /// - Throws: `rules.*`, `issuing.subject`, `issuing.no-identifier-key`.
  func userInfo(
    _ subject: SignedInSubject, to party: RelyingParty, scopes: [String], at now: Instant
  ) throws(TokenError) -> [UInt8] {
    let name = try identifier(of: subject, for: party)
    var groups: [(name: String, values: [Claim])] = []
    for claim in try personClaims(subject, to: party, at: now) {
      guard ScopedClaims.contains(claim.type.name, scopes) else { continue }
      if let place = groups.firstIndex(where: { $0.name == claim.type.name }) {
        groups[place].values.append(claim)
      } else {
        groups.append((claim.type.name, [claim]))
      }
    }
    var json = JSONWriter()
    json.object { json in
      json.member("sub", name)
      // None is named `sub`, which no rule gives.
      for (name, values) in groups {
        json.name(text: name)
        if values.count == 1, !ListedClaims.arrays.contains(values[0].type) {
          Self.write(values[0], to: &json)
        } else {
          json.array { json in values.forEach { Self.write($0, to: &json) } }
        }
      }
    }
    return json.bytes
  }

  private static func write(_ claim: Claim, to json: inout JSONWriter) {
    if claim.valueType.hasSameBytes(as: Claim.jsonType) {
      json.raw(Array(claim.value.utf8))
    } else {
      json.string(claim.value)
    }
  }
}
