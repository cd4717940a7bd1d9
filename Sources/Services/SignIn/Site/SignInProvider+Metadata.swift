extension SignInProvider {
  /// The one entity that a source names.
  ///
  /// - Throws: `signin.configuration`.
  static func only(_ source: MetadataSource) throws(TokenError) -> String {
    guard let names = source.entityIDs, let name = names.first, names.count == 1 else {
      throw TokenError(
        .signInConfiguration, node: "metadata", expected: "the entityID of one provider")
    }
    return name
  }

  /// What refreshes metadata at an address, for tokens of these formats that are for us.
  static func registry(
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

  /// The entities of a document that are valid now; of one name where one is given.
  static func entities(
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

  /// The one entity with a role of these kinds.
  ///
  /// - Throws: `signin.configuration`.
  static func only(
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

  /// What trusts an entity's keys, for tokens of these formats that are for us.
  static func registry(
    _ entity: EntityDescriptor, _ formats: Set<TokenFormat>, _ audience: String
  ) throws(TokenError) -> StaticRegistry {
    guard let issuer = entity.trustedIssuer(formats: formats) else {
      throw missing("KeyDescriptor")
    }
    return StaticRegistry(Trust(issuers: [issuer], audiences: .oneOf([audience])))
  }

  static func missing(_ element: String) -> TokenError {
    TokenError(.signInConfiguration, node: "metadata", expected: element, found: "none")
  }
}
