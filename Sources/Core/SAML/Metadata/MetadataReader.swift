public import Instants
public import TokenErrors
import XMLTree

/// Reads metadata of any size from a local file that is trusted as configuration: no signature is
/// checked (``SignedMetadata`` does that), and memory is bounded by the largest entity.
public struct MetadataReader {
  private let stream: DocumentStream
  private var walk = MetadataWalk()
  private var names = EntityNames()
  private var depth = 0
  /// The `creationInstant` of the file's own extensions; nil until they are read, and where they have
  /// none.
  public private(set) var creationInstant: Instant?

  /// - Parameter limits: What holds for each entity.
  /// - Throws: `xml.malformed` when there is no memory.
  public init(limits: Limits = Limits()) throws(TokenError) {
    stream = try DocumentStream(containers: [MetadataName.entities], limits: limits)
  }

  /// Reads the next bytes of the file. Returns the entities that they complete.
  ///
  /// - Throws: `xml.*`, `input.too-large`, `policy.metadata-*`, `time.malformed`.
  public mutating func consume(_ bytes: [UInt8]) throws(TokenError) -> [EntityDescriptor] {
    try entities(items(in: bytes))
  }

  /// Ends the file. Returns the remaining entities.
  ///
  /// - Throws: as ``consume(_:)``.
  public mutating func finish() throws(TokenError) -> [EntityDescriptor] {
    try entities(finalItems())
  }

  /// As ``consume(_:)``, but without checking the entities.
  package mutating func items(in bytes: [UInt8]) throws(TokenError) -> [MetadataItem] {
    try items(stream.consume(bytes))
  }

  /// As ``finish()``, but without checking the entities.
  package mutating func finalItems() throws(TokenError) -> [MetadataItem] {
    try items(stream.finish())
  }

  private mutating func items(_ parts: [DocumentStream.Part]) throws(TokenError) -> [MetadataItem] {
    var items: [MetadataItem] = []
    for part in parts {
      switch part {
      case .containerStart(let document): items.append(try walk.enter(document.root))
      case .containerEnd: items.append(walk.leave())
      case .child(let document): items.append(try walk.item(document.root))
      }
    }
    return items
  }

  private mutating func entities(_ items: [MetadataItem]) throws(TokenError) -> [EntityDescriptor] {
    var entities: [EntityDescriptor] = []
    for item in items {
      switch item {
      case .group: depth += 1
      case .groupEnd: depth -= 1
      case .groupContent(let content):
        if depth == 1 { try note(PublicationInfo(extensions: content)) }
      case .entity(let element, _):
        // The file is one entity.
        if depth == 0 { try note(PublicationInfo(of: element)) }
      }
      guard case .entity(let element, let scope) = item else { continue }
      let entity = try EntityDescriptor(element, in: scope)
      try names.insert(entity.entityID)
      entities.append(entity)
    }
    return entities
  }

  private mutating func note(_ info: PublicationInfo?) {
    creationInstant = creationInstant ?? info?.creationInstant
  }
}
