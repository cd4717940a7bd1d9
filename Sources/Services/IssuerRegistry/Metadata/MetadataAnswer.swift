import Octets
import TokenBasics

/// Makes a metadata request and checks its response, without a clock or network.
struct MetadataAnswer {
  let source: MetadataSource
  /// The metadata in use, if still valid.
  let current: AcceptedMetadata?

  /// The request for the metadata.
  func request() throws(TokenError) -> HTTPRequest {
    var request = HTTPRequest(.get, source.url)
    request.maximumResponseBytes = source.maximumBytes
    request.timeout = source.timeout
    try request.fields.append("Accept", "application/samlmetadata+xml, application/xml, text/xml")
    try request.fields.append("Accept-Encoding", "identity")
    if let tag = current?.entityTag { try request.fields.append("If-None-Match", tag) }
    return request
  }

  /// The new metadata; nil for 304.
  ///
  /// - Throws: `transport.redirect`, `transport.status`, `transport.too-large`,
  ///   `transport.malformed-response`, `registry.*`, and errors of parsing metadata.
  func accepted(from response: HTTPResponse, at now: Instant) throws(TokenError)
    -> AcceptedMetadata?
  {
    // A 304 is valid only for a conditional request. Its body is not read.
    if response.status == 304, current?.entityTag != nil { return nil }
    let document = try FetchedDocument.octets(of: response, upTo: source.maximumBytes)
    let entities: [EntityDescriptor]
    let created: Instant?
    do {
      (entities, created) = try read(document, at: now)
    } catch {
      throw FetchedDocument.page(document, inPlaceOf: "SAML metadata") ?? error
    }
    let (issuers, end) = try used(of: entities)
    if let end, end <= now {
      throw TokenError(
        .registryDocumentExpired, expected: "validUntil after \(now.withMilliseconds)",
        found: end.withMilliseconds)
    }
    try checkRollback(to: created)
    return AcceptedMetadata(
      issuers: issuers, entities: source.entityIDs == nil ? [] : entities, validUntil: end,
      // A publisher whose clock was ahead must be able to publish again.
      created: created.map { min($0, now) },
      cacheSeconds: entities.compactMap { $0.cacheDuration?.approximateSeconds }.min(),
      // Of an aggregate of thousands only those of the wanted entities are decoded for that.
      passedOver: source.entityIDs == nil
        ? [] : entities.flatMap(\.unusableKeys).map { $0.within(source.url.description) },
      entityTag: Self.entityTag(response))
  }

  private func read(
    _ bytes: [UInt8], at now: Instant
  ) throws(TokenError) -> (entities: [EntityDescriptor], created: Instant?) {
    switch source.proof {
    case .signature(let keys):
      var reader = try SignedMetadataReader(keys: keys, at: now, into: wanted)
      try reader.consume(bytes)
      let outcome = try reader.finish()
      return (try outcome.sink.found(), outcome.creationInstant)
    case .server:
      var wanted = wanted
      var reader = try MetadataReader()
      for entity in try reader.consume(bytes) + reader.finish() { wanted.take(entity) }
      return (try wanted.found(), reader.creationInstant)
    }
  }

  private var wanted: WantedEntities { WantedEntities(names: source.entityIDs) }

  /// The issuers among the entities, and when the last of what is used of the document expires; nil for no end.
  ///
  /// - Throws: `policy.metadata-no-key`; errors of the source's ``MetadataSource/judge``.
  private func used(
    of entities: [EntityDescriptor]
  ) throws(TokenError) -> (issuers: [TrustedIssuer], end: Instant?) {
    if let judge = source.judge {
      var ends: [Instant?] = []
      for entity in entities { ends.append(try judge(entity)) }
      return ([], Self.last(of: ends))
    }
    let issuers = entities.compactMap {
      $0.trustedIssuer(
        formats: source.formats, projection: source.projection, trusting: source.trusting)
    }
    guard !issuers.isEmpty else { throw TokenError(.metadataNoKey) }
    return (issuers, Self.last(of: issuers.flatMap(\.keys).map(\.validUntil)))
  }

  /// META-14: while metadata is in use, rejects a document that was made before it.
  ///
  /// Only the publisher's `creationInstant` gives that time: a signature has one reference here, so a time
  /// in its own properties is never signed. `validUntil` cannot: it disappears together with a withdrawn
  /// entity or key, and that must not look like a rollback.
  private func checkRollback(to created: Instant?) throws(TokenError) {
    guard let created, let before = current?.created, created < before else { return }
    throw TokenError(
      .registryRollback, expected: "a creationInstant not before \(before.withMilliseconds)",
      found: created.withMilliseconds)
  }

  /// The last of the instants; nil if one of them is missing, which stands for no end.
  private static func last(of ends: [Instant?]) -> Instant? {
    var last: Instant?
    for end in ends {
      guard let end else { return nil }
      last = max(last ?? end, end)
    }
    return last
  }

  /// The entity tag, if it is well formed (RFC 9110, 8.8.3) and at most 256 bytes long.
  private static func entityTag(_ response: HTTPResponse) -> String? {
    guard let tag = response.fields["ETag"], tag.utf8.count <= 256,
      tag.hasPrefix("\"") || tag.hasPrefix("W/\""), tag.hasSuffix("\""), tag.utf8.count > 2
    else { return nil }
    return tag
  }
}

/// Keeps the entities that a source names, so that an aggregate of thousands is not kept for a few; all where it names
/// none.
private struct WantedEntities: MetadataSink {
  let names: [String]?
  private var kept: [EntityDescriptor] = []
  private var first: String?

  init(names: [String]?) { self.names = names }

  mutating func take(_ entity: EntityDescriptor) {
    first = first ?? entity.entityID
    if names?.containsBytes(of: entity.entityID) ?? true { kept.append(entity) }
  }

  /// META-15: rejects a document without the wanted entities, even if it is correctly signed.
  func found() throws(TokenError) -> [EntityDescriptor] {
    guard let names, kept.isEmpty else { return kept }
    throw TokenError(
      .registryEntityMismatch, expected: names.map(TokenError.excerpt).joined(separator: " or "),
      found: first.map(TokenError.excerpt) ?? "no entity")
  }
}

/// The content of accepted metadata.
struct AcceptedMetadata: FetchedTrust {
  let issuers: [TrustedIssuer]
  /// The entities that the source names; none where it wants all of an aggregate.
  var entities: [EntityDescriptor] = []
  /// The expiry of the last of its keys, or of the entities that the source judges; nil if one has none.
  let validUntil: Instant?
  /// The publisher's `creationInstant`; not later than the acceptance.
  let created: Instant?
  /// The shortest `cacheDuration`, with a month as 30 days.
  let cacheSeconds: Int64?
  /// Why keys of the document are passed over, each with its place.
  var passedOver: [TokenError] = []
  /// The validator of the representation (RFC 9110, 8.8.3), if it is well formed.
  let entityTag: String?

  /// The entity of that name; nil for none.
  func entity(_ entityID: String) -> EntityDescriptor? {
    entities.first { $0.entityID.hasSameBytes(as: entityID) }
  }
}
