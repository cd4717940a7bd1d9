extension SignInProvider {
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
}
