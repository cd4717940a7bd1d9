import Octets
public import SecurityKeys
public import TokenBasics

/// Metadata whose document element is signed by a pinned key.
public struct SignedMetadata: Sendable {
  /// Everything that was read, in document order, from what the signature covers.
  public let entities: [EntityDescriptor]
  /// The `creationInstant` of the signed document element; nil where it has none.
  public let creationInstant: Instant?
  /// The exceptions that the signature needed, and security token services whose keys are not used,
  /// because the signature does not cover what the prefix of their `xsi:type` means, nor do their endpoints say.
  public let warnings: [String]

  /// Verifies the signature of the whole file, then reads it. Signatures of parts are ignored.
  ///
  /// - Parameters:
  ///   - bytes: The metadata document.
  ///   - keys: The keys of which one must have signed.
  ///   - now: The clock, read once by the caller.
  /// - Throws: `signature.missing` and other `signature.*`, `algorithm.*`, `key.*`, `xml.*`, `policy.metadata-*`,
  ///   `time.malformed`, also of the `creationInstant`.
  public init(verifying bytes: [UInt8], keys: [TrustedKey], at now: Instant) throws(TokenError) {
    try self.init(verifying: bytes, keys: keys, at: now, only: nil)
  }

  /// As ``init(verifying:keys:at:)``, but keeps only the entities of these names; all for nil.
  package init(
    verifying bytes: [UInt8], keys: [TrustedKey], at now: Instant, only wanted: [String]?
  ) throws(TokenError) {
    var reader = try SignedMetadataReader(keys: keys, at: now, into: Entities(wanted: wanted))
    try reader.consume(bytes)
    self.init(try reader.finish())
  }

  /// What a reader found in a document whose signature is valid.
  package init(_ outcome: SignedMetadataReader<Entities>.Outcome) {
    entities = outcome.sink.all
    creationInstant = outcome.creationInstant
    warnings = outcome.warnings
  }

  /// Keeps whole entities.
  package struct Entities: MetadataSink {
    private let wanted: [String]?
    fileprivate var all: [EntityDescriptor] = []

    /// - Parameter wanted: The names of the entities to keep; nil for all.
    package init(wanted: [String]? = nil) { self.wanted = wanted }

    package mutating func take(_ entity: EntityDescriptor) throws(TokenError) {
      if wanted?.containsBytes(of: entity.entityID) ?? true { all.append(entity) }
    }
  }

  /// What holds for each entity, and for what is between two tags.
  static let limits: Limits = {
    var limits = Limits()
    limits.bytes = Limits.hardByteLimit
    limits.elements = 1_000_000
    return limits
  }()
}
