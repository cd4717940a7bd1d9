extension SignInProvider {
  /// A SAML 2.0 identity provider by its metadata document.
  ///
  /// - Parameters:
  ///   - id: Names it in paths and sessions.
  ///   - name: Its name for people; nil for `id`.
  ///   - metadata: The metadata document.
  ///   - signers: The keys of which one must have signed the document; nil for a document that is trusted as
  ///     configuration.
  ///   - entityID: The provider among several; nil for the only one.
  ///   - service: This service as a service provider.
  ///   - now: The clock, read once by the caller.
  /// - Throws: `signin.configuration` where the document describes no such provider, or several;
  ///   `signin.no-endpoint`; errors of the metadata.
  public static func saml(
    id: String, name: String? = nil, metadata: [UInt8], signedBy signers: [TrustedKey]? = nil,
    entityID: String? = nil, service: ServiceProvider, at now: Instant
  ) throws(TokenError) -> Self {
    let entities = try Self.entities(metadata, signers, entityID, at: now)
    let entity = try only(entities, [.identityProvider])
    guard let provider = try IdentityProvider(entity) else { throw missing("IDPSSODescriptor") }
    return Self(
      id: id, name: name ?? provider.displayName, .saml(service, .fixed(provider)),
      registry: try registry(entity, [.saml20], service.entityID))
  }

  /// A SAML 2.0 identity provider by metadata at an address, whose keys and endpoints are those of now.
  ///
  /// - Parameters:
  ///   - id: Names it in paths and sessions.
  ///   - name: Its name for people; nil for `id`.
  ///   - source: Names one entity.
  ///   - transport: Fetches the metadata.
  ///   - copy: Stores what was accepted, for a start while the server is down.
  ///   - service: This service as a service provider.
  ///   - clock: The clock; another one in tests.
  ///   - observer: Hears of what happens, for logs, metrics and traces.
  /// - Throws: `signin.configuration` for a source of several entities.
  public static func saml(
    id: String, name: String? = nil, source: MetadataSource, transport: any HTTPTransport,
    copy: (any MetadataCopy)? = nil, service: ServiceProvider,
    clock: any TimeSource = SystemTime(), observer: any ActivityObserver = NoObserver()
  ) throws(TokenError) -> Self {
    let entityID = try only(source)
    let registry = registry(
      source, [.saml20], service.entityID, transport, copy, clock, observer)
    return Self(
      id: id, name: name ?? entityID,
      .saml(service, .metadata(registry, entityID: entityID)), registry: registry)
  }
}
