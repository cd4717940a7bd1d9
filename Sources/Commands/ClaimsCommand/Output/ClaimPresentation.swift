import Federation
import SecurityKeys

/// How claims are printed.
struct ClaimPresentation: Sendable {
  /// The projection of the options; nil for the issuer's own.
  var projection: ClaimProjection?
  var usesClaimURIs = false
  var redacts = false

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
    guard let projection = projection ?? issuer else { return shown }
    return shown.projected(projection)
  }

  /// Length and the first 8 hexadecimal digits of the SHA-256.
  private static func mask(_ value: String) -> String {
    "\(value.utf8.count) bytes, \(SecretMark.digest(Array(value.utf8)))"
  }
}
