public import Claims
public import Instants

/// Somebody signed in at a service: who, by which provider, with which credential, until when.
///
/// Its description shows neither credentials nor claims. Claims that hold a provider's credential are
/// not among ``claims``; they are ``providerTokens``.
public struct Session: Sendable, CustomStringConvertible, CustomReflectable {
  /// The person who is signed in.
  public let principal: Principal
  /// What is known about the person, from a verified token or from the service, as the issuer's
  /// projection shows it.
  public let claims: ClaimSet
  /// The provider that the person chose, as the service calls it (`Facebook-1234567890`, `google`);
  /// nil for accounts of the service itself.
  public let provider: String?
  /// The tokens of the identity provider, apart from the claims.
  public var providerTokens: [ProviderToken]
  /// What the service wants to see.
  public var credential: Credential
  /// What renews the credential, if the service gave it out.
  public var refreshToken: Secret?
  /// When the credential ends, as far as known.
  public var expires: Instant?
  /// The moment of the sign-in.
  public var signedInAt: Instant
  /// The moment of the last request with the session.
  public var lastUsedAt: Instant
  /// How long the session lasts.
  public var lifetime: SessionLifetime
  /// Further facts that a service needs to have kept; nothing secret.
  public var details: [String: String] = [:]

  /// - Parameters:
  ///   - claims: All claims of the token; ``providerTokens`` are found among them.
  ///   - projection: Which of them ``claims`` shows, and under which names.
  public init(
    principal: Principal, claims: ClaimSet = ClaimSet(), projection: ClaimProjection = .all,
    provider: String? = nil, credential: Credential, refreshToken: Secret? = nil,
    expires: Instant? = nil,
    signedInAt: Instant, lifetime: SessionLifetime = .unlimited
  ) {
    self.principal = principal
    self.claims = ClaimSet(claims.filter { !$0.type.isCredential }).projected(projection)
    self.provider = provider
    providerTokens = ProviderToken.all(in: claims)
    self.credential = credential
    self.refreshToken = refreshToken
    self.expires = expires
    self.signedInAt = signedInAt
    lastUsedAt = signedInAt
    self.lifetime = lifetime
  }

  /// The provider alone; everything else is personal or secret.
  public var description: String {
    "a session" + (provider.map { " by \($0)" } ?? "")
      + (expires.map { ", credential valid until \($0.rfc3339)" } ?? "")
  }

  /// No children, so that `dump` shows nothing secret.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
