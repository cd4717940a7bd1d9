public import HTTPExchange
public import IssuerRegistry
import Octets

/// The SAML 2.0 metadata of a relying party: what a file says, or what an address says right now.
public enum PartyMetadata: Sendable {
  /// Metadata that does not change while the service runs.
  case fixed(SAMLServiceProvider)
  /// Metadata at an address, which is fetched and refreshed.
  case fetched(FetchedServiceProvider)

  /// The service provider as far as it is known, without waiting; nil before the first fetch of an address succeeded, and
  /// after that metadata expired. Metadata of a file is known also after its end.
  var known: SAMLServiceProvider? {
    switch self {
    case .fixed(let provider): provider
    case .fetched(let fetched): fetched.known
    }
  }

  /// The service provider at `now`. Waits for a fetch if nothing was fetched yet.
  ///
  /// - Throws: `key.metadata-expired`, `issuing.metadata-unavailable`.
  func provider(at now: Instant) async throws(TokenError) -> SAMLServiceProvider {
    let provider =
      switch self {
      case .fixed(let provider): provider
      case .fetched(let fetched): try await fetched.provider(at: now)
      }
    try provider.checkValidity(at: now)
    return provider
  }

  /// The service provider at `now`, without waiting.
  ///
  /// - Throws: As ``provider(at:)``.
  func knownProvider(at now: Instant) throws(TokenError) -> SAMLServiceProvider {
    let provider =
      switch self {
      case .fixed(let provider): provider
      case .fetched(let fetched): try fetched.knownProvider(at: now)
      }
    try provider.checkValidity(at: now)
    return provider
  }
}

/// A SAML 2.0 service provider by metadata at an address, whose entity identifier is the realm.
///
/// Metadata is fetched on first use and refreshed when it is due. While the server gives no answer, or metadata that
/// cannot be used, the last good metadata stays in use until its end.
public final class FetchedServiceProvider: Sendable {
  /// The address, the realm, and what authenticates the document.
  let source: MetadataSource
  /// The realm.
  package let entityID: String
  /// The file of the last good copy; nil for none.
  let copy: FileCopy?
  private let registry: MetadataRegistry
  private let clock: any TimeSource

  /// A service provider whose metadata is fetched.
  ///
  /// - Parameters:
  ///   - entityID: The realm of the relying party.
  ///   - url: The address of the document, which may be an aggregate.
  ///   - proof: What authenticates the document.
  ///   - transport: Fetches the metadata.
  ///   - copy: Stores the last good metadata, for a start while the server is down; nil stores nothing.
  ///   - clock: The clock; another one in tests.
  ///   - observer: Hears of what happens, for logs, metrics and traces.
  public convenience init(
    _ entityID: String, at url: HTTPURL, proof: MetadataProof, transport: any HTTPTransport,
    copy: FileCopy? = nil, clock: any TimeSource = SystemTime(),
    observer: any ActivityObserver = NoObserver()
  ) {
    self.init(
      entityID, MetadataSource(url, entityID: entityID, proof: proof), transport: transport,
      copy: copy, clock: clock, observer: observer)
  }

  /// - Parameter source: The address, and what authenticates the document.
  package init(
    _ entityID: String, _ source: MetadataSource, transport: any HTTPTransport,
    copy: FileCopy? = nil, clock: any TimeSource = SystemTime(),
    observer: any ActivityObserver = NoObserver()
  ) {
    var source = source
    source.judge = { (entity) throws(TokenError) in
      guard let provider = SAMLServiceProvider(entity) else {
        throw TokenError(
          .issuingMetadataImport, node: entity.entityID,
          expected: "a service provider of SAML 2.0", found: "no SPSSODescriptor of it")
      }
      return provider.validUntil
    }
    self.entityID = entityID
    self.source = source
    self.copy = copy
    self.clock = clock
    registry = MetadataRegistry(
      source, transport: transport, copy: copy, clock: clock, observer: observer)
  }

  /// Whether it fetches the same document, believes it by the same keys, and keeps it at the same place.
  package func isSame(as other: FetchedServiceProvider) -> Bool {
    entityID.hasSameBytes(as: other.entityID) && source.url == other.source.url
      && copy == other.copy && source.proof.isSame(as: other.source.proof)
  }

  /// The state of its metadata.
  package var state: any IssuerRegistry { registry }

  /// Fetches whenever that is due, until the task is cancelled.
  package func run() async { await registry.run() }

  /// The service provider that is in use, without waiting; nil before the first success and after its end.
  var known: SAMLServiceProvider? {
    registry.readyEntity(entityID, at: clock.now).flatMap(described)
  }

  /// The service provider that is in use. Waits for a fetch if there is none.
  ///
  /// - Throws: `key.metadata-expired`, `issuing.metadata-unavailable`.
  func provider(at now: Instant) async throws(TokenError) -> SAMLServiceProvider {
    let entity = try? await registry.entity(entityID, at: now)
    guard let provider = entity.flatMap(described) else { throw missing(at: now) }
    return provider
  }

  /// The service provider that is in use, without waiting.
  ///
  /// - Throws: As ``provider(at:)``.
  func knownProvider(at now: Instant) throws(TokenError) -> SAMLServiceProvider {
    guard let known else { throw missing(at: now) }
    return known
  }

  /// A document from elsewhere must not lead into this network: the one address at which the service itself calls is left
  /// out there.
  private func described(_ entity: EntityDescriptor) -> SAMLServiceProvider? {
    SAMLServiceProvider(entity, documentOf: source.url.origin)
  }

  /// Why there is no service provider: its metadata ended, or none was accepted yet.
  private func missing(at now: Instant) -> TokenError {
    let health = registry.health(at: now).first
    let hasEnded =
      health?.status == .expired || health?.lastError?.code == .registryDocumentExpired
    return TokenError(
      hasEnded ? .metadataExpired : .issuingMetadataUnavailable, node: entityID,
      expected: "metadata at \(source.url.origin) that is valid after \(now.rfc3339)",
      found: health?.lastError?.description ?? "no answer yet")
  }
}

extension MetadataProof {
  /// Whether the same keys prove a document.
  fileprivate func isSame(as other: MetadataProof) -> Bool {
    switch (self, other) {
    case (.server, .server): true
    case (.signature(let keys), .signature(let others)):
      keys.map(\.key.fingerprint) == others.map(\.key.fingerprint)
    default: false
    }
  }
}
