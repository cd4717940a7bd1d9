public import HTTPExchange
public import Federation

/// A session of a signed-in principal, as a ``SessionStore`` keeps it.
public struct SignedInSession: Sendable, CustomStringConvertible {
  /// Who signed in.
  public let principal: FederatedPrincipal
  /// The configured provider at which the principal signed in.
  public let provider: String
  /// When the session began.
  public let begun: Instant
  /// When it ends at the latest: its lifetime, or earlier where the issuer ends it.
  public let end: Instant
  /// The ID token of an OpenID sign-in, to be shown to the provider at sign-out; nil for other protocols.
  public let idToken: Secret?
  /// When it was last used, exact to a minute.
  public var lastUse: Instant
  /// Whether `claims-gate doctor` made it, so that a gate answers as one that cannot. No sign-in does.
  package var isRehearsal = false

  /// A session.
  public init(
    principal: FederatedPrincipal, provider: String, begun: Instant, end: Instant,
    lastUse: Instant, idToken: Secret? = nil
  ) {
    self.principal = principal
    self.provider = provider
    self.begun = begun
    self.end = end
    self.lastUse = lastUse
    self.idToken = idToken
  }

  /// Whether the session is over, by its end or because nobody used it for `idle` seconds.
  public func isOver(at now: Instant, idle: Int64) -> Bool {
    now >= end || now >= lastUse.advanced(bySeconds: idle)
  }

  /// The provider and the times; neither subject nor claim.
  public var description: String {
    "a session at \(provider) from \(begun.rfc3339) to \(end.rfc3339)"
  }
}
