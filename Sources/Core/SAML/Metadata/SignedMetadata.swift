import Octets
public import SecurityKeys
public import TokenBasics
import XMLSecurity
import XMLTree

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
  /// - Throws: `policy.metadata-size` above 10 MiB, `signature.missing` and other `signature.*`,
  ///   `algorithm.*`, `key.*`, `xml.*`, `policy.metadata-*`, `time.malformed`, also of the `creationInstant`.
  public init(verifying bytes: [UInt8], keys: [TrustedKey], at now: Instant) throws(TokenError) {
    guard bytes.count <= Limits.hardByteLimit else {
      throw TokenError(
        .metadataTooLarge, expected: "at most \(Limits.hardByteLimit) bytes to check a signature",
        found: "\(bytes.count) bytes")
    }
    let document = try Document(parsing: bytes, limits: Self.limits)
    let root = document.root
    guard root.isNamed(MetadataName.entity) || root.isNamed(MetadataName.entities) else {
      var walk = MetadataWalk()
      _ = try walk.item(root)
      throw TokenError(.notMetadata)
    }
    _ = try IdentifierIndex(document)
    guard let signature = try SignedElement.signature(of: root) else {
      throw TokenError(.signatureMissing, node: root.path)
    }
    var scratch = OctetWriter()
    let signed = try SignedElement.verify(
      root, signature, id: root.attributeBytes(MetadataName.identifier) ?? [],
      place: .first, wholeDocument: .accepted, keys: KeyRing(keys), at: now, limits: Self.limits,
      scratch: &scratch)
    var reading = Reading(signed.namespaces)
    try reading.read(signed.element)
    creationInstant = try PublicationInfo(of: signed.element)?.creationInstant
    entities = reading.entities
    warnings = signed.match.warnings + reading.warnings
  }

  private struct Reading {
    private let namespaces: SignedNamespaces
    private var walk: MetadataWalk
    private var names = EntityNames()
    private(set) var entities: [EntityDescriptor] = []
    private(set) var warnings: [String] = []

    init(_ namespaces: SignedNamespaces) {
      self.namespaces = namespaces
      walk = MetadataWalk(in: MetadataScope(namespaces))
    }

    /// As deep as the document, which its limit bounds.
    mutating func read(_ element: Element) throws(TokenError) {
      guard !element.isNamed(MetadataName.entities) else {
        _ = try walk.enter(element)
        for child in try element.children() { try read(child) }
        _ = walk.leave()
        return
      }
      if case .entity(_, let scope) = try walk.item(element) {
        let entity = try EntityDescriptor(element, in: scope)
        try names.insert(entity.entityID)
        entities.append(entity)
        warnings += try element.children().compactMap { RoleReader.warning($0, namespaces) }
      }
    }
  }

  /// A document of 10 MiB has some hundred thousand elements.
  private static let limits: Limits = {
    var limits = Limits()
    limits.bytes = Limits.hardByteLimit
    limits.elements = 1_000_000
    return limits
  }()
}
