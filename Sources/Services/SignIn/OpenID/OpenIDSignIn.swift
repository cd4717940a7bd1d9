import Federation
public import HTTPExchange

/// A finished sign-in: who signed in, and the tokens, which belong in the session store and nowhere else.
public struct OpenIDSignIn: Sendable, CustomStringConvertible, CustomReflectable {
  /// Who signed in.
  public let principal: FederatedPrincipal
  /// The ID token as received, to be shown to the provider at sign-out (`id_token_hint`).
  public let idToken: Secret
  /// The access token, if the provider gave one.
  public let accessToken: Secret?
  /// When the access token ends, if the provider says so.
  public let accessTokenEnd: Instant?
  /// The refresh token, if the provider gave one.
  public let refreshToken: Secret?

  /// The principal's description; no token.
  public var description: String { "a sign-in of \(principal)" }

  /// Has no children, so that a dump shows no token.
  public var customMirror: Mirror { Mirror(self, children: [:]) }

  /// The property of a claim that names where it came from: ``userInfo`` for the UserInfo endpoint; claims
  /// of the ID token have none.
  public static let sourceProperty = Claim.propertyPrefix + "openidsource"
  /// The value of ``sourceProperty`` for a claim that TLS to the UserInfo endpoint vouches for, and no
  /// signature.
  public static let userInfo = "userinfo"
}
