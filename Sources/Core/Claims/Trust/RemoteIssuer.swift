public import SecurityKeys

/// What a bearer token has to be beside genuine (RFC 9068, 2.1 and 4; RFC 8725, 3.11).
public struct AccessTokenRules: Hashable, Sendable {
  /// Whether it has to name the type `at+jwt`, and to have the members of RFC 9068.
  public var demandsType = false
  /// Whether one is accepted that has the members of an ID token or a logout token.
  public var acceptsIDTokens = false
  /// Whether an assertion of SAML 2.0 is accepted that answers a sign-in request or names another recipient.
  public var acceptsSignInAssertions = false
  /// Whether a token counts of which the issuer, when asked, names no audience (RFC 7662, 2.2): not at a protected resource.
  public var acceptsNoAudience = false
  /// Further names of claims in the issuer's tokens, for rules and headers of a service.
  public var claimSources = ClaimSources()

  /// The usual rules: any type of an access token, and no ID tokens.
  public init() {}
}

/// An issuer whose keys are at an address, or that is asked about its tokens. A library without a network gives it to a
/// registry that has one.
public struct RemoteIssuer: Sendable {
  /// The members of a trust file that say that an issuer's keys are not in the file.
  package static let members = ["openID", "keysAt", "introspection"]

  /// Where what proves its tokens comes from.
  public enum Source: Hashable, Sendable {
    /// The keys that its OpenID configuration names (OpenID Connect Discovery 1.0, 4; RFC 8414).
    case discovery
    /// A JWK set at an https address.
    case keySet(String)
    /// Its own word about each token (RFC 7662), for which it knows us by an identifier and a secret in a file.
    case introspection(address: String, clientID: String, secretFile: String?)
  }

  /// The issuer, as its tokens name it.
  public let name: String
  /// How a service's configuration names it; nil where it does not.
  public let id: String?
  /// Where what proves its tokens comes from.
  public let source: Source
  /// The only algorithms; nil for all of the keys' types.
  public let algorithms: [SignatureAlgorithm]?
  /// Which claims are shown.
  public let projection: ClaimProjection
  /// What its tokens have to be.
  public let rules: AccessTokenRules

  package init(
    name: String, id: String?, source: Source, algorithms: [SignatureAlgorithm]?,
    projection: ClaimProjection, rules: AccessTokenRules
  ) {
    self.name = name
    self.id = id
    self.source = source
    self.algorithms = algorithms
    self.projection = projection
    self.rules = rules
  }
}
