/// What a token is presented for, which its `typ` must not contradict (RFC 8725, 3.11).
package enum TokenPurpose: Sendable {
  /// A token for a service: an access token, or one whose type names no purpose.
  case access
  /// An ID token (OpenID Connect Core 1.0, 2). An access token that names its type is none.
  case idToken
  /// A logout token (OpenID Connect Back-Channel Logout 1.0, 2.4), which should name its type but need not.
  case logoutToken
  /// A grant of one authorization server for another (Identity Assertion JWT Authorization Grant, 3). It names its type.
  case identityAssertionGrant

  /// The `typ` of such a grant.
  package static let identityAssertionGrantType = "oauth-id-jag+jwt"

  /// Whether a token without a `typ` serves it.
  var allowsNoType: Bool { self != .identityAssertionGrant }

  /// The media types without `application/`.
  var types: [StaticString] {
    switch self {
    case .access: ["jwt", "at+jwt", "jose"]
    case .idToken: ["jwt", "jose"]
    case .logoutToken: ["logout+jwt", "jwt", "jose"]
    case .identityAssertionGrant: ["oauth-id-jag+jwt"]
    }
  }

  /// The same, for an error.
  var expected: String {
    switch self {
    case .access: "JWT, at+jwt or JOSE"
    case .idToken: "JWT or JOSE"
    case .logoutToken: "logout+jwt, JWT or JOSE"
    case .identityAssertionGrant: Self.identityAssertionGrantType
    }
  }
}
