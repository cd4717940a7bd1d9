public import SingleSignOn

/// An identity provider that the site offers.
public struct SignInProvider: Sendable {
  /// The protocol, with both sides of it.
  public enum Exchange: Sendable {
    /// SAML 2.0.
    case saml(ServiceProvider, ProviderSource<IdentityProvider>)
    /// WS-Federation.
    case wsFederation(PassiveRelyingParty, ProviderSource<PassiveIssuer>)
    /// OpenID Connect.
    case openID(OpenIDRelyingParty)
  }

  /// The name in addresses, sessions, rules and logs, such as `campus`. Whoever signs in is somebody at this
  /// provider: another one with the same issuer has other people.
  public let id: String
  /// The name that people see.
  public let name: String
  /// The protocol.
  public let exchange: Exchange
  /// Who is trusted at this provider; asked for each answer, since keys change.
  public let registry: any IssuerRegistry
  /// An OpenID provider, whose registry is its own.
  public init(id: String, name: String, openID party: OpenIDRelyingParty) {
    self.init(id: id, name: name, .openID(party), registry: party.provider)
  }

  /// Whether a sign-in that the provider begins is accepted (SAML 2.0 alone).
  public var acceptsUnsolicited = false

  /// The name of its issuer, as other parties and its tokens know it.
  public var issuer: String {
    switch exchange {
    case .saml(_, let source): source.entityID
    case .wsFederation(_, let source): source.entityID
    case .openID(let party): party.issuer
    }
  }

  /// A provider.
  public init(id: String, name: String, _ exchange: Exchange, registry: any IssuerRegistry) {
    self.id = id
    self.name = name
    self.exchange = exchange
    self.registry = registry
  }
}
