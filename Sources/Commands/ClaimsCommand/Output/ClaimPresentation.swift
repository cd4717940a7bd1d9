import Federation
import SecurityKeys

/// How claims are printed.
struct ClaimPresentation: Sendable {
  /// The projection of the options; nil for the issuer's own.
  var projection: ClaimProjection?
  var usesClaimURIs = false
  var redacts = false
  /// Whether a claim of the table of names is printed under its short name, whatever type the token has it under.
  var usesShortNames = false

  /// The token with its claims named by the options.
  func named(_ token: AnyToken) -> AnyToken {
    usesClaimURIs ? token.namingClaimsByURI() : token
  }

  /// The claims to print.
  func shown(_ claims: ClaimSet, of issuer: ClaimProjection?) -> ClaimSet {
    var shown = claims
    if redacts {
      shown = ClaimSet(
        claims.map { claim in
          guard claim.type.isCredential else { return claim }
          var masked = claim
          masked.value = Self.mask(claim.value)
          return masked
        })
    }
    let projected = (projection ?? issuer).map { shown.projected($0) } ?? shown
    return usesShortNames ? Self.shortlyNamed(projected) : projected
  }

  /// Names claims of the table by the first type of their row, such as `roles`. If a token has several types of one row, only
  /// the first of them in the table's order is renamed, so that nothing is dropped and nothing merged.
  private static func shortlyNamed(_ claims: ClaimSet) -> ClaimSet {
    var named: [ClaimType: ClaimType] = [:]
    for entry in ClaimName.all {
      // The first type of a row is the name that JSON Web Tokens use.
      guard let short = entry.types.first,
        let type = entry.types.first(where: { !claims[$0].isEmpty })
      else { continue }
      named[type] = short
    }
    return ClaimSet(
      claims.map { claim in
        var claim = claim
        claim.type = named[claim.type] ?? claim.type
        return claim
      })
  }

  /// Length and the first 8 hexadecimal digits of the SHA-256.
  private static func mask(_ value: String) -> String {
    "\(value.utf8.count) bytes, \(SecretMark.digest(Array(value.utf8)))"
  }
}
