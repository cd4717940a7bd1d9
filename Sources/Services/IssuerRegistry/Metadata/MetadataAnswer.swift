import Octets

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
    let all: [EntityDescriptor]
    let created: Instant?
    do {
      (all, created) = try read(document, at: now)
    } catch {
      throw ContentKind(document) == .html
        ? error.hinting(TokenError.Code.htmlPage.hint) : error
    }
    let entities = try wanted(all)
    let issuers = entities.compactMap {
      $0.trustedIssuer(
        formats: source.formats, projection: source.projection, trusting: source.trusting)
    }
    guard !issuers.isEmpty else { throw TokenError(.metadataNoKey) }
    let end = Self.end(of: issuers)
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
      let metadata = try SignedMetadata(verifying: bytes, keys: keys, at: now)
      return (metadata.entities, metadata.creationInstant)
    case .server:
      var reader = try MetadataReader()
      let entities = try reader.consume(bytes) + reader.finish()
      return (entities, reader.creationInstant)
    }
  }

  /// META-15: rejects a document without the wanted entities, even if it is correctly signed.
  private func wanted(_ entities: [EntityDescriptor]) throws(TokenError) -> [EntityDescriptor] {
    guard let names = source.entityIDs else { return entities }
    let wanted = entities.filter { entity in
      names.contains { $0.hasSameBytes(as: entity.entityID) }
    }
    guard !wanted.isEmpty else {
      throw TokenError(
        .registryEntityMismatch, expected: names.map(TokenError.excerpt).joined(separator: " or "),
        found: entities.first.map { TokenError.excerpt($0.entityID) } ?? "no entity")
    }
    return wanted
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

  private static func end(of issuers: [TrustedIssuer]) -> Instant? {
    var last: Instant?
    for key in issuers.flatMap(\.keys) {
      guard let end = key.validUntil else { return nil }
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

/// The content of accepted metadata.
struct AcceptedMetadata: FetchedTrust {
  let issuers: [TrustedIssuer]
  /// The entities that the source names; none where it wants all of an aggregate.
  var entities: [EntityDescriptor] = []
  /// The expiry of the last of its keys; nil if one has none.
  let validUntil: Instant?
  /// The publisher's `creationInstant`; not later than the acceptance.
  let created: Instant?
  /// The shortest `cacheDuration`, with a month as 30 days.
  let cacheSeconds: Int64?
  /// Why keys of the document are passed over, each with its place.
  var passedOver: [TokenError] = []
  /// The validator of the representation (RFC 9110, 8.8.3), if it is well formed.
  let entityTag: String?
}
