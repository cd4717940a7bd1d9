import Octets

/// Members of a JSON Web Token.
package enum TokenMember {
  /// Whether a member is about the token and the sign-in, not about the person (RFC 7519, 4.1; OpenID Connect Core 1.0, 2).
  package static func isOfToken(_ name: String) -> Bool {
    [
      "iss", "sub", "aud", "exp", "nbf", "iat", "jti", "nonce", "auth_time", "acr", "azp",
      "at_hash", "c_hash", "s_hash", "sid", "cnf", "events", "act", "may_act",
    ].contains { $0.hasSameBytes(as: name) }
  }
}
