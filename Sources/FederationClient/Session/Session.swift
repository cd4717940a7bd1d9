public import BrowserExchange
public import Claims
public import Instants

/// A sign-in at a service: the person, the provider, the credential and its expiry.
///
/// Its description contains neither credentials nor claims. Claims with a provider's credential are not
/// among ``claims``; they are ``providerTokens``.
public struct Session: Sendable, CustomStringConvertible, CustomReflectable {
  /// The signed-in person.
  public let principal: Principal
  /// The person's claims, from a verified token or from the service, after the issuer's projection.
  public let claims: ClaimSet
  /// The chosen provider by the service's name for it (`Facebook-1234567890`, `google`); nil for accounts
  /// of the service itself.
  public let provider: String?
  /// The providers' own tokens that the token's claims contain.
  public var providerTokens: [ProviderToken]
  /// The credential that the service expects with each request.
  public var credential: Credential
  /// The token that renews the credential, if the service issued one.
  public var refreshToken: Secret?
  /// The time at which the credential expires; nil if unknown.
  public var expires: Instant?
  /// The time of the sign-in; a renewal does not change it.
  public var signedInAt: Instant
  /// The time of the last request, stored at most once a minute.
  public var lastUsedAt: Instant
  /// The limits of the session on this side, besides ``expires``.
  public var lifetime: SessionLifetime
  /// Further values that a service stores with the session; nothing secret.
  public var details: [String: String] = [:]

  /// A session with these values; ``lastUsedAt`` is `signedInAt`.
  ///
  /// - Parameters:
  ///   - principal: Who signed in.
  ///   - claims: All claims of the token; ``providerTokens`` are found among them.
  ///   - projection: Which of them ``claims`` contains, and under which names.
  ///   - provider: The chosen identity provider, if any.
  ///   - credential: What requests are authorized with.
  ///   - refreshToken: Renews the credential; nil where the service issued none.
  ///   - expires: When the credential ends; nil where the service does not say.
  ///   - signedInAt: When the person signed in.
  ///   - lifetime: How long it lasts, used or not.
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

  /// The provider and the expiry, without credentials and claims.
  public var description: String {
    "a session" + (provider.map { " by \($0)" } ?? "")
      + (expires.map { ", credential valid until \($0.rfc3339)" } ?? "")
  }

  /// Has no children, so that a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
