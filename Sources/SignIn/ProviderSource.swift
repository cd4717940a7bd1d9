public import IssuerRegistry
public import SingleSignOn

/// What is known of an identity provider: fixed, or as its metadata at an address has it now.
public struct ProviderSource<Provider: Sendable>: Sendable {
  /// The entity identifier. Configuration names it; no metadata changes it.
  public let entityID: String
  private let read: @Sendable (Instant) async throws(TokenError) -> Provider

  /// The provider right now.
  ///
  /// - Throws: `registry.unavailable`, `registry.trust-expired`; `signin.configuration`, `signin.no-endpoint`
  ///   for metadata without what the protocol needs.
  func provider(at now: Instant) async throws(TokenError) -> Provider { try await read(now) }

  private init(entityID: String, fixed provider: Provider) {
    self.entityID = entityID
    read = { (_) throws(TokenError) in provider }
  }

  private init(
    entityID: String, _ registry: MetadataRegistry, element: String,
    _ role: @escaping @Sendable (EntityDescriptor) throws(TokenError) -> Provider?
  ) {
    self.entityID = entityID
    read = { (now) throws(TokenError) in
      let entity = try await registry.entity(entityID, at: now)
      guard let provider = try entity.flatMap(role) else {
        throw TokenError(
          .signInConfiguration, node: "metadata of \(entityID)", expected: element, found: "none")
      }
      return provider
    }
  }
}

extension ProviderSource<IdentityProvider> {
  /// A SAML 2.0 identity provider that does not change.
  public static func fixed(_ provider: IdentityProvider) -> Self {
    Self(entityID: provider.entityID, fixed: provider)
  }

  /// A SAML 2.0 identity provider by the metadata of a registry.
  public static func metadata(_ registry: MetadataRegistry, entityID: String) -> Self {
    Self(entityID: entityID, registry, element: "IDPSSODescriptor") {
      (entity) throws(TokenError) in try IdentityProvider(entity)
    }
  }
}

extension ProviderSource<PassiveIssuer> {
  /// A WS-Federation issuer that does not change.
  public static func fixed(_ issuer: PassiveIssuer) -> Self {
    Self(entityID: issuer.entityID, fixed: issuer)
  }

  /// A WS-Federation issuer by the metadata of a registry.
  public static func metadata(_ registry: MetadataRegistry, entityID: String) -> Self {
    Self(entityID: entityID, registry, element: "SecurityTokenServiceType") {
      (entity) throws(TokenError) in try PassiveIssuer(entity)
    }
  }
}
