public import SingleSignOn

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

  /// A WS-Federation issuer by its federation metadata; parameters as for ``saml(id:name:metadata:signedBy:entityID:service:at:)``.
  ///
  /// - Throws: As there.
  public static func wsFederation(
    id: String, name: String? = nil, metadata: [UInt8], signedBy signers: [TrustedKey]? = nil,
    entityID: String? = nil, party: PassiveRelyingParty, at now: Instant
  ) throws(TokenError) -> Self {
    let entities = try Self.entities(metadata, signers, entityID, at: now)
    let entity = try only(entities, [.securityTokenService])
    guard let issuer = try PassiveIssuer(entity) else {
      throw missing("SecurityTokenServiceType")
    }
    return Self(
      id: id, name: name ?? issuer.displayName, .wsFederation(party, .fixed(issuer)),
      registry: try registry(entity, [.saml11, .saml20, .jwt], party.realm))
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

  /// A WS-Federation issuer by metadata at an address; parameters as for
  /// ``saml(id:name:source:transport:copy:service:clock:observer:)``.
  ///
  /// - Throws: As there.
  public static func wsFederation(
    id: String, name: String? = nil, source: MetadataSource, transport: any HTTPTransport,
    copy: (any MetadataCopy)? = nil, party: PassiveRelyingParty,
    clock: any TimeSource = SystemTime(), observer: any ActivityObserver = NoObserver()
  ) throws(TokenError) -> Self {
    let entityID = try only(source)
    let registry = registry(
      source, [.saml11, .saml20, .jwt], party.realm, transport, copy, clock, observer)
    return Self(
      id: id, name: name ?? entityID,
      .wsFederation(party, .metadata(registry, entityID: entityID)), registry: registry)
  }

  private static func only(_ source: MetadataSource) throws(TokenError) -> String {
    guard let names = source.entityIDs, let name = names.first, names.count == 1 else {
      throw TokenError(
        .signInConfiguration, node: "metadata", expected: "the entityID of one provider")
    }
    return name
  }

  private static func registry(
    _ source: MetadataSource, _ formats: Set<TokenFormat>, _ audience: String,
    _ transport: any HTTPTransport, _ copy: (any MetadataCopy)?, _ clock: any TimeSource,
    _ observer: any ActivityObserver
  ) -> MetadataRegistry {
    var source = source
    source.formats = formats
    return MetadataRegistry(
      source, relyingParty: Trust(issuers: [], audiences: .oneOf([audience])),
      transport: transport, copy: copy, clock: clock, observer: observer)
  }

  private static func entities(
    _ metadata: [UInt8], _ signers: [TrustedKey]?, _ entityID: String?, at now: Instant
  ) throws(TokenError) -> [EntityDescriptor] {
    var entities: [EntityDescriptor]
    if let signers {
      entities = try SignedMetadata(verifying: metadata, keys: signers, at: now).entities
    } else {
      var reader = try MetadataReader()
      entities = try reader.consume(metadata)
      entities += try reader.finish()
    }
    if let entityID { entities.removeAll { Array($0.entityID.utf8) != Array(entityID.utf8) } }
    return entities.filter { !$0.hasExpired(at: now) }
  }

  private static func only(
    _ entities: [EntityDescriptor], _ kinds: [EntityRole.Kind]
  ) throws(TokenError) -> EntityDescriptor {
    let fitting = entities.filter { $0.roles.contains { kinds.contains($0.kind) } }
    guard let entity = fitting.first, fitting.count == 1 else {
      throw TokenError(
        .signInConfiguration, node: "metadata", expected: "one provider that is valid now",
        found: "\(fitting.count)")
    }
    return entity
  }

  private static func registry(
    _ entity: EntityDescriptor, _ formats: Set<TokenFormat>, _ audience: String
  ) throws(TokenError) -> StaticRegistry {
    guard let issuer = entity.trustedIssuer(formats: formats) else {
      throw missing("KeyDescriptor")
    }
    return StaticRegistry(Trust(issuers: [issuer], audiences: .oneOf([audience])))
  }

  private static func missing(_ element: String) -> TokenError {
    TokenError(.signInConfiguration, node: "metadata", expected: element, found: "none")
  }
}
