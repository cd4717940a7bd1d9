import Octets
import Synchronization

/// The issuers in metadata at an address, which is refreshed on schedule.
///
/// Metadata is fetched on first use, then whenever it is due, by one task at a time; in the meantime calls
/// return what was accepted before. After a failed fetch that stays in use until it expires. ``run()``
/// also refreshes without calls.
public final class MetadataRegistry: IssuerRegistry {
  private let source: MetadataSource
  /// Where the metadata comes from.
  package var origin: HTTPOrigin { source.url.origin }
  private let copy: (any MetadataCopy)?
  private let clock: any TimeSource
  private let observer: any ActivityObserver
  private let loop: RefreshLoop<AcceptedMetadata>
  /// Whether the copy of an earlier run has been read. Held while it is, so that the first fetch is checked for
  /// rollback against it.
  private let isOpen: Mutex<Bool>

  /// A registry for the metadata of `source`.
  ///
  /// - Parameters:
  ///   - source: Where it is published, and what proves it.
  ///   - relyingParty: Audiences, skew, limits and decryption keys; its issuers are trusted as well. By default
  ///     no audience, which is right inside a ``CompositeRegistry`` and rejects every token elsewhere.
  ///   - transport: Fetches the metadata.
  ///   - copy: Stores accepted metadata for the next start, so that a service can start while the server is
  ///     down; nil stores nothing. A start fetches first, and uses the copy if that fails or takes too long
  ///     (``RefreshSchedule/firstAnswer``).
  ///   - clock: The clock; another one in tests.
  ///   - observer: Hears of what happens, for logs, metrics and traces.
  ///   - jitter: Returns 0 to 1, random except in tests.
  public init(
    _ source: MetadataSource, relyingParty: Trust = Trust(issuers: [], audiences: .oneOf([])),
    transport: any HTTPTransport, copy: (any MetadataCopy)? = nil,
    clock: any TimeSource = SystemTime(),
    observer: any ActivityObserver = NoObserver(),
    jitter: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.source = source
    self.copy = copy
    self.clock = clock
    self.observer = observer
    isOpen = Mutex(copy == nil)
    loop = RefreshLoop(
      source: source.url.description, schedule: source.schedule, relyingParty: relyingParty,
      clock: clock, observer: observer, jitter: jitter
    ) { (current) async throws(TokenError) -> AcceptedMetadata? in
      let question = MetadataAnswer(source: source, current: current)
      let response = try await transport.response(to: question.request())
      let accepted = try question.accepted(from: response, at: clock.now)
      if accepted != nil, let copy {
        MetadataRegistry.keep(response.body, in: copy, of: source, clock, observer)
      }
      return accepted
    }
  }

  /// The accepted trust; nil before the first success and after its expiry. Starts a fetch that is due.
  public func readyTrust(at now: Instant) -> Trust? {
    open()
    return loop.ready(at: now)?.trust
  }

  /// The accepted trust; waits for a fetch if there is none.
  /// - Throws: `registry.unavailable`, `registry.trust-expired`, with the error of the last fetch.
  public func trust(at now: Instant) async throws(TokenError) -> Trust {
    open()
    return try await loop.accepted(at: now).trust
  }

  /// The entity as accepted metadata describes it, with its endpoints; nil for one that the source does not name.
  /// Waits for a fetch if there is no metadata.
  ///
  /// - Throws: `registry.unavailable`, `registry.trust-expired`.
  public func entity(
    _ entityID: String, at now: Instant
  ) async throws(TokenError) -> EntityDescriptor? {
    open()
    return try await loop.accepted(at: now).fetched.entity(entityID)
  }

  /// The entity as accepted metadata describes it, without waiting; nil before the first success, after its expiry, and
  /// for an entity that the source does not name. Starts a fetch that is due.
  public func readyEntity(_ entityID: String, at now: Instant) -> EntityDescriptor? {
    open()
    return loop.ready(at: now)?.fetched.entity(entityID)
  }

  /// One entry, named by the address without its query.
  public func health(at now: Instant) -> [RegistryHealth] { [loop.health(at: now)] }

  /// Fetches now, due or not, or joins the running fetch. ``health(at:)`` shows its error.
  public func refresh() async {
    open()
    await loop.refresh()
  }

  /// Fetches whenever it is due, until the task is cancelled.
  public func run() async {
    open()
    await loop.run()
  }

  // MARK: Copies

  /// Restores the copy of an earlier run, once, after the same checks as for a fetch.
  private func open() {
    guard let copy else { return }
    isOpen.withLock { isOpen in
      guard !isOpen else { return }
      isOpen = true
      takeUp(copy)
    }
  }

  private func takeUp(_ copy: any MetadataCopy) {
    do throws(TokenError) {
      guard let kept = try copy.read() else { return }
      let now = clock.now
      let answer = MetadataAnswer(source: source, current: nil)
      let response = HTTPResponse(status: 200, body: kept.document)
      guard let metadata = try answer.accepted(from: response, at: now) else { return }
      loop.restore(metadata, confirmedAt: min(kept.fetchedAt, now))
    } catch {
      observer.happened(loop.activity("registry.copy-unusable", [("code", error.code.rawValue)]))
    }
  }

  /// Writes the copy. A failure is only reported: it matters for the next start alone.
  private static func keep(
    _ document: [UInt8], in copy: any MetadataCopy, of source: MetadataSource,
    _ clock: any TimeSource, _ observer: any ActivityObserver
  ) {
    do throws(TokenError) {
      try copy.write(document, fetchedAt: clock.now)
    } catch {
      observer.happened(
        Activity(
          "registry.copy-failed",
          [("source", source.url.description), ("code", error.code.rawValue)]))
    }
  }
}

/// Stores accepted metadata between runs, so that a service can start while the publisher is down. A fetch
/// is tried first all the same (``RefreshSchedule/firstAnswer``).
public protocol MetadataCopy: Sendable {
  /// The document stored last and the time of its fetch; nil if there is none.
  ///
  /// It is checked like a fetched one. An attacker who can write the copy can restore an older document
  /// that still contains a withdrawn key or, where only the server authenticates metadata, insert any other:
  /// protect the copy like the configuration.
  ///
  /// - Throws: `registry.unreadable-file`, `registry.unsafe-file` or another fitting code.
  func read() throws(TokenError) -> (document: [UInt8], fetchedAt: Instant)?

  /// Replaces the stored document, atomically.
  ///
  /// - Throws: `registry.unwritable-file` or another fitting code.
  func write(_ document: [UInt8], fetchedAt: Instant) throws(TokenError)
}

/// Metadata at an address: its entities, its authentication and its schedule.
///
/// The address comes from configuration, never from a token or from other metadata.
public struct MetadataSource: Sendable {
  /// The address of the document.
  public let url: HTTPURL
  /// The wanted entities, compared byte for byte; nil for all in the document.
  public let entityIDs: [String]?
  /// How the document is authenticated.
  public let proof: MetadataProof
  /// The token formats for which the keys are trusted; SAML and JWT by default.
  public var formats: Set<TokenFormat> = [.saml11, .saml20, .jwt]
  /// Which claims of the issuers are returned; all by default.
  public var projection = ClaimProjection.all
  /// Makes the trusted key of a metadata key; by default without exceptions.
  public var trusting: @Sendable (VerificationKey) -> TrustedKey = { TrustedKey($0) }
  /// Judges each wanted entity where the document is read for something else than the keys of issuers, such as a service
  /// provider. Returns until when the entity may be relied on, nil for no end. What it refuses by an error is not taken
  /// over, and what was accepted before stays in use. Nil, the default, requires an issuer with keys.
  public var judge: (@Sendable (EntityDescriptor) throws(TokenError) -> Instant?)?
  /// The maximum size in bytes. By default 128 MiB where a signature proves the document, since federations publish
  /// aggregates of tens of megabytes, and 1 MiB where only the server does, or a query asks for one entity.
  public var maximumBytes: Int
  /// The time limit for one fetch, from connecting to the last byte; 30 seconds by default.
  public var timeout = Duration.seconds(30)
  /// The times of refreshes.
  public var schedule = RefreshSchedule()

  /// The metadata of one issuer.
  public init(_ url: HTTPURL, entityID: String, proof: MetadataProof) {
    self.init(aggregateAt: url, entityIDs: [entityID], proof: proof)
  }

  /// The metadata of one issuer at a server of the Metadata Query Protocol: `GET base/entities/ENTITYID`, with the
  /// identifier percent-encoded (draft-young-md-query, 3.1; the SAML profile has the content type).
  ///
  /// - Parameters:
  ///   - base: The server's base address.
  ///   - entityID: The identifier of the issuer.
  ///   - signers: The keys of which one must have signed the answer.
  /// - Throws: `transport.malformed-address`.
  public static func query(
    _ base: HTTPURL, entityID: String, signedBy signers: [TrustedKey]
  ) throws(TokenError) -> Self {
    let separator = base.path.hasSuffix("/") ? "" : "/"
    let path = base.path + separator + "entities/" + HTTPURL.percentEncoded(entityID)
    var source = Self(try base.at(path: path), entityID: entityID, proof: .signature(signers))
    source.maximumBytes = entityLimit
    return source
  }

  /// The metadata of several issuers.
  ///
  /// - Parameters:
  ///   - url: The address of the aggregate.
  ///   - entityIDs: The wanted ones; nil for all.
  ///   - proof: What makes the document believed.
  public init(aggregateAt url: HTTPURL, entityIDs: [String]?, proof: MetadataProof) {
    self.url = url
    self.entityIDs = entityIDs
    self.proof = proof
    switch proof {
    case .signature: maximumBytes = Self.aggregateLimit
    case .server: maximumBytes = Self.entityLimit
    }
  }

  /// 128 MiB: more than the largest federations publish.
  package static let aggregateLimit = 1 << 27
  private static let entityLimit = 1 << 20
}

/// How fetched metadata is authenticated.
public enum MetadataProof: Sendable {
  /// By a signature over the whole document with one of these keys, which the configuration pins.
  case signature([TrustedKey])
  /// By TLS to the configured server, signed or not: the operator of that server, or an intruder,
  /// determines the keys.
  case server
}
