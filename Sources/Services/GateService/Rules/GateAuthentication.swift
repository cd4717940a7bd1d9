public import SignIn

/// How a subject proved who it is, as rules see it.
public struct GateAuthentication: Sendable {
  /// Whether it came with a bearer token, not with the session of a browser.
  public var isToken = false
  /// The scopes of the token.
  public var scopes: [String] = []
  /// The authentication contexts that the provider vouches for.
  public var contexts: [String] = []
  /// Seconds since the subject proved who it is; nil where the provider does not say.
  public var age: Int64?
  /// The same, when the session began.
  public var ageAtSignIn: Int64?
  /// What the provider was asked for when the session began.
  public var asked: AskedAuthentication?

  /// One of which nothing is known.
  public init() {}

  /// That of a principal without a session to compare it with.
  package init(_ principal: FederatedPrincipal, isToken: Bool, at now: Instant) {
    self.init(principal, nil, at: now)
    self.isToken = isToken
  }

  /// That of a principal.
  ///
  /// - Parameter session: Its session; nil for a bearer token.
  init(_ principal: FederatedPrincipal, _ session: SignedInSession?, at now: Instant) {
    let instant = principal.authenticatedAt
    contexts = principal.authenticationContexts
    age = instant.map { now.seconds - $0.seconds }
    if let session {
      ageAtSignIn = instant.map { session.begun.seconds - $0.seconds }
      asked = session.asked
    } else {
      isToken = true
      scopes = principal.tokenScopes
    }
  }
}
