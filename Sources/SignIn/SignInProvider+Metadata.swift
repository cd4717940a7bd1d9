public import SingleSignOn

extension SignInProvider {
  /// A SAML 2.0 identity provider by its metadata document.
  ///
  /// - Parameters:
  ///   - signers: The keys of which one must have signed the document; nil for a document that is trusted as
  ///     configuration.
  ///   - entityID: The provider among several; nil for the only one.
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
      id: id, name: name ?? provider.displayName, .saml(service, provider),
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
      id: id, name: name ?? issuer.displayName, .wsFederation(party, issuer),
      registry: try registry(entity, [.saml11, .saml20, .jwt], party.realm))
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
