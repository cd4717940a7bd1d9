package import TokenErrors
package import XMLTree
import XMLSecurity

/// Follows the groups of a metadata file, from whatever source its parts come.
package struct MetadataWalk {
  private var scopes: [MetadataScope]
  private var count = 0

  package init() { self.init(in: MetadataScope()) }

  /// A walk through the content of `scope`.
  init(in scope: MetadataScope) { scopes = [scope] }

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
