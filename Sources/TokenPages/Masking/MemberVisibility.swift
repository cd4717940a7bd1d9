/// Which members of a JSON Web Token and pairs of a Simple Web Token a masked page shows: issuer, audience, times and
/// what the signature needs.
enum MemberVisibility {
  static let header: Set<String> = ["alg", "typ", "cty", "kid", "crit", "b64", "enc", "zip"]
  static let payload: Set<String> = ["iss", "aud", "exp", "nbf", "iat", "auth_time"]
  static let pairs: Set<String> = ["Issuer", "Audience", "ExpiresOn"]
}
