package import XMLTree

/// A part of a metadata file, in document order.
package enum MetadataItem: Sendable {
  /// An `EntitiesDescriptor` opens; only its attributes are to be seen.
  case group(Element)
  case groupEnd
  /// A `ds:Signature` or `Extensions` of a group.
  case groupContent(Element)
  /// An `EntityDescriptor`, and what it inherits.
  case entity(Element, MetadataScope)
}
