public import HTTPExchange

/// An identity provider as a configuration file describes it. Files are names here.
public struct ProviderConfiguration: Sendable {
  /// The protocol, and what it needs.
  public enum Exchange: Sendable {
    /// SAML 2.0, and whether answers come as artifacts.
    case saml(Metadata, usesArtifacts: Bool)
    /// WS-Federation.
    case wsFederation(Metadata, realm: String)
    /// OpenID Connect, by discovery.
    case openID(issuer: String, OpenIDRegistration)
  }

  /// Where a provider's metadata is, and who must have signed it.
  public enum Metadata: Sendable {
    /// In a file.
    case file(String, key: String?, entityID: String?)
    /// At an address, with a file for the last good copy.
    case address(HTTPURL, key: String?, entityID: String, copy: String?)
    /// At a server of the Metadata Query Protocol.
    case query(HTTPURL, key: String, entityID: String, copy: String?)
  }

  /// The name in addresses.
  public let id: String
  /// The name that people see; nil for the provider's own.
  public let name: String?
  /// The protocol.
  public let exchange: Exchange
  /// Whether a sign-in that the provider begins is accepted.
  public let acceptsUnsolicited: Bool

  package init(id: String, name: String?, exchange: Exchange, acceptsUnsolicited: Bool) {
    self.id = id
    self.name = name
    self.exchange = exchange
    self.acceptsUnsolicited = acceptsUnsolicited
  }
}
