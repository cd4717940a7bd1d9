import IssuerRegistry
import Octets

/// An identity provider that the site offers.
public struct SignInProvider: Sendable {
  /// The name in addresses, sessions, rules and logs, such as `campus`. Whoever signs in is somebody at this
  /// provider: another one with the same issuer has other people.
  public let id: String
  /// Further names of it in addresses, sessions and sign-ins that have begun: an earlier version of the service gave them.
  package var formerIDs: [String] = []
  /// The name that people see.
  public let name: String
  /// The protocol, with both sides of it.
  public let method: any SignInMethod
  /// Who is trusted at this provider; asked for each answer, since keys change.
  public let registry: any IssuerRegistry
  /// Whether a sign-in that the provider begins is accepted (SAML 2.0 alone).
  public var acceptsUnsolicited = false
  /// Further names of claims at the provider.
  package var claimSources = ClaimSources()
  /// Seconds by which the provider's clock may differ: 0 to 600.
  package var skew = Trust.defaultSkew

  /// Whether an identifier is the provider's, or one of its former ones.
  func answers(to id: String) -> Bool {
    self.id.hasSameBytes(as: id) || formerIDs.containsBytes(of: id)
  }

  /// The name of its issuer, as other parties and its tokens know it.
  public var issuer: String { method.issuer }

  /// A provider, such as `SignInProvider(id: "campus", name: "Campus", .saml(service, source), registry: registry)`.
  public init(
    id: String, name: String, _ method: some SignInMethod, registry: any IssuerRegistry
  ) {
    self.id = id
    self.name = name
    self.method = method
    self.registry = registry
  }

  /// Who is trusted right now.
  ///
  /// - Throws: `registry.*`; `policy.limit` for another ``skew``.
  func trust(at now: Instant) async throws(TokenError) -> Trust {
    let ready = registry.readyTrust(at: now)
    var trust = if let ready { ready } else { try await registry.trust(at: now) }
    if skew != trust.skew { try trust.setSkew(skew) }
    return trust
  }

  /// The error of a provider that cannot be beside the others, or with these settings.
  static func refused(_ id: String, _ expected: String, _ found: String) -> TokenError {
    TokenError(
      .signInConfiguration, node: "provider \(TokenError.excerpt(id))", expected: expected,
      found: TokenError.excerpt(found))
  }
}

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
      entities =
        try SignedMetadata(
          verifying: metadata, keys: signers, at: now, only: entityID.map { [$0] }
        ).entities
    } else {
      var reader = try MetadataReader()
      entities = try reader.consume(metadata)
      entities += try reader.finish()
    }
    if let entityID { entities.removeAll { Array($0.entityID.utf8) != Array(entityID.utf8) } }
    return entities.compactMap { $0.current(at: now) }
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
