import Octets

/// The sessions that a logout message of a provider ends. Another provider's sessions never end by it, whatever
/// issuer they name.
public struct EndedSessions: Sendable {
  /// By what a store that keeps an index finds them.
  public enum Lookup: Hashable, Sendable {
    /// The subject of the principal (`sub` of OpenID Connect).
    case subject(String)
    /// The session at the issuer (`sid` of OpenID Connect).
    case session(String)
    /// The text of the SAML name.
    case name(String)
  }

  /// The provider that ends them, by its identifier in the service's configuration.
  public let provider: String
  /// The name of its issuer.
  public let issuer: String
  /// What all of them have in common.
  public let lookup: Lookup
  private let isEnded: @Sendable (FederatedPrincipal) -> Bool

  /// Sessions at a provider.
  ///
  /// - Parameters:
  ///   - provider: The identifier of the provider, compared as bytes.
  ///   - issuer: The name of its issuer, compared as bytes.
  ///   - lookup: How the sessions are found.
  ///   - isEnded: Whether the session of a principal that `lookup` finds is one of them.
  public init(
    provider: String, issuer: String, _ lookup: Lookup,
    where isEnded: @escaping @Sendable (FederatedPrincipal) -> Bool = { _ in true }
  ) {
    self.provider = provider
    self.issuer = issuer
    self.lookup = lookup
    self.isEnded = isEnded
  }

  /// The same sessions where they are kept under another identifier of the provider.
  package func at(_ provider: String) -> Self {
    Self(provider: provider, issuer: issuer, lookup, where: isEnded)
  }

  /// Whether a session is one of them.
  public func contains(_ session: SignedInSession) -> Bool {
    let principal = session.principal
    return session.provider.hasSameBytes(as: provider)
      && principal.issuer.hasSameBytes(as: issuer)
      && Self.lookups(of: principal).contains { lookup.hasSameBytes(as: $0) }
      && isEnded(principal)
  }

  /// By what the session of a principal is found.
  public static func lookups(of principal: FederatedPrincipal) -> [Lookup] {
    [.subject(principal.subject)]
      + (principal.issuerSession.index.map { [.session($0)] } ?? [])
      + (principal.issuerSession.name.map { [.name($0.text)] } ?? [])
  }
}

extension EndedSessions.Lookup {
  /// Compared as identifiers are: octet for octet.
  func hasSameBytes(as other: Self) -> Bool { octets == other.octets }

  /// The kind and the text.
  package var octets: [UInt8] {
    switch self {
    case .subject(let text): Array("subject:\(text)".utf8)
    case .session(let text): Array("session:\(text)".utf8)
    case .name(let text): Array("name:\(text)".utf8)
    }
  }
}
