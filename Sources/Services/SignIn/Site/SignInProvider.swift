/// An identity provider that the site offers.
public struct SignInProvider: Sendable {
  /// The name in addresses, sessions, rules and logs, such as `campus`. Whoever signs in is somebody at this
  /// provider: another one with the same issuer has other people.
  public let id: String
  /// The name that people see.
  public let name: String
  /// The protocol, with both sides of it.
  public let method: any SignInMethod
  /// Who is trusted at this provider; asked for each answer, since keys change.
  public let registry: any IssuerRegistry
  /// Whether a sign-in that the provider begins is accepted (SAML 2.0 alone).
  public var acceptsUnsolicited = false

  /// The name of its issuer, as other parties and its tokens know it.
  public var issuer: String { method.issuer }

  /// A provider, such as `SignInProvider(id: "campus", name: "Campus", .saml(service, source), registry: registry)`.
  public init(
    id: String, name: String, _ method: some SignInMethod, registry: any IssuerRegistry
  ) {
    self.id = id
    self.name = name
    self.method = method
    self.registry = registry
  }

  /// Who is trusted right now.
  ///
  /// - Throws: `registry.*`.
  func trust(at now: Instant) async throws(TokenError) -> Trust {
    if let trust = registry.readyTrust(at: now) { return trust }
    return try await registry.trust(at: now)
  }

  /// The error of a provider that cannot be beside the others, or with these settings.
  static func refused(_ id: String, _ expected: String, _ found: String) -> TokenError {
    TokenError(
      .signInConfiguration, node: "provider \(TokenError.excerpt(id))", expected: expected,
      found: TokenError.excerpt(found))
  }
}
