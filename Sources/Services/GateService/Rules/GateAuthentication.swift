public import SignIn

/// How a subject proved who it is, as rules see it.
public struct GateAuthentication: Sendable {
  /// Whether it came with a bearer token, not with the session of a browser.
  public let isToken: Bool
  /// What the provider was asked for when the session began.
  public let asked: AskedAuthentication?
  private let known: Known

  private enum Known {
    case values(scopes: [String], contexts: [String], age: Int64?, ageAtSignIn: Int64?)
    /// What the token says is read when a rule asks: few do.
    case principal(FederatedPrincipal, now: Instant, begun: Instant?)
  }

  /// One of which these things are known; by default nothing.
  ///
  /// - Parameters:
  ///   - isToken: Whether it came with a bearer token.
  ///   - scopes: The scopes of the token.
  ///   - contexts: The authentication contexts that the provider vouches for.
  ///   - age: Seconds since the subject proved who it is; nil where the provider does not say.
  ///   - ageAtSignIn: The same, when the session began.
  ///   - asked: What the provider was asked for when the session began.
  public init(
    isToken: Bool = false, scopes: [String] = [], contexts: [String] = [], age: Int64? = nil,
    ageAtSignIn: Int64? = nil, asked: AskedAuthentication? = nil
  ) {
    self.isToken = isToken
    self.asked = asked
    known = .values(scopes: scopes, contexts: contexts, age: age, ageAtSignIn: ageAtSignIn)
  }

  /// That of a principal without a session to compare it with.
  package init(_ principal: FederatedPrincipal, isToken: Bool, at now: Instant) {
    self.isToken = isToken
    asked = nil
    known = .principal(principal, now: now, begun: nil)
  }

  /// That of a principal.
  ///
  /// - Parameter session: Its session; nil for a bearer token.
  init(_ principal: FederatedPrincipal, _ session: SignedInSession?, at now: Instant) {
    isToken = session == nil
    asked = session?.asked
    known = .principal(principal, now: now, begun: session?.begun)
  }

  /// The scopes of the token.
  public var scopes: [String] {
    switch known {
    case .values(let scopes, _, _, _): scopes
    case .principal(let principal, _, _): isToken ? principal.tokenScopes : []
    }
  }

  /// The authentication contexts that the provider vouches for.
  public var contexts: [String] {
    switch known {
    case .values(_, let contexts, _, _): contexts
    case .principal(let principal, _, _): principal.authenticationContexts
    }
  }

  /// Seconds since the subject proved who it is; nil where the provider does not say.
  public var age: Int64? {
    switch known {
    case .values(_, _, let age, _): age
    case .principal(let principal, let now, _): principal.age(at: now)
    }
  }

  /// The same, when the session began.
  public var ageAtSignIn: Int64? {
    switch known {
    case .values(_, _, _, let age): age
    case .principal(let principal, _, let begun): begun.flatMap(principal.age(at:))
    }
  }
}

extension FederatedPrincipal {
  fileprivate func age(at now: Instant) -> Int64? {
    authenticatedAt.map { now.seconds - $0.seconds }
  }
}
