public import TokenBasics
import XMLSecurity
package import XMLTree

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
      // Those come where everything is kept alone.
      case .text, .instruction: break
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

/// Follows the groups of a metadata file, from whatever source its parts come.
package struct MetadataWalk {
  private var scopes: [MetadataScope]
  private var count = 0

  package init() { scopes = [MetadataScope()] }

  /// A group opens.
  ///
  /// - Throws: `time.malformed`.
  package mutating func enter(_ group: Element) throws(TokenError) -> MetadataItem {
    scopes.append(try (scopes.last ?? MetadataScope()).entered(group))
    count += 1
    return .group(group)
  }

  /// The group that opened last closes.
  package mutating func leave() -> MetadataItem {
    if scopes.count > 1 { scopes.removeLast() }
    return .groupEnd
  }

  /// A child of the group that opened last, or the document element.
  ///
  /// - Throws: `policy.metadata-root`, `xml.unexpected-element`.
  package mutating func item(_ element: Element) throws(TokenError) -> MetadataItem {
    count += 1
    if element.isNamed(MetadataName.entity) {
      return .entity(element, scopes.last ?? MetadataScope())
    }
    guard count > 1 else {
      throw TokenError(
        .notMetadata, node: element.path, expected: "EntityDescriptor or EntitiesDescriptor",
        found: TokenError.excerpt(element.localName))
    }
    guard element.isNamed(DSName.signature) || element.isNamed(MetadataName.extensions) else {
      throw TokenError(.unexpectedElement, node: element.path, expected: "EntityDescriptor")
    }
    return .groupContent(element)
  }
}

/// What an element of metadata inherits from those around it.
package struct MetadataScope: Sendable {
  package private(set) var validUntil: Instant?
  package private(set) var cacheDuration: CalendarDuration?

  /// The signed namespace declarations; nil for metadata that is trusted as a file.
  private(set) var namespaces: SignedNamespaces?

  package init() {}

  /// The same scope for a part of what a signature covers.
  func signed(_ namespaces: SignedNamespaces) -> Self {
    var signed = self
    signed.namespaces = namespaces
    return signed
  }

  /// The scope inside `element`: the earliest `validUntil` and the nearest `cacheDuration` apply
  /// (SAML Metadata 2.3.1). A malformed `cacheDuration` is ignored, because it is only a hint;
  /// `validUntil` is binding.
  ///
  /// - Throws: `time.malformed`.
  package func entered(_ element: Element) throws(TokenError) -> MetadataScope {
    var inner = self
    if let own = try element.instant(MetadataName.validUntil) {
      inner.validUntil = validUntil.map { min($0, own) } ?? own
    }
    if let text = element.collapsedAttribute(MetadataName.cacheDuration),
      let own = try? CalendarDuration(text)
    {
      inner.cacheDuration = own
    }
    return inner
  }
}
