import IssuerRegistry

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

  init(entityID: String, fixed provider: Provider) {
    self.entityID = entityID
    read = { (_) throws(TokenError) in provider }
  }

  init(
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
