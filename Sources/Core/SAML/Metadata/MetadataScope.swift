package import Instants
package import TokenErrors
import XMLSecurity
package import XMLTree

/// What an element of metadata inherits from those around it.
package struct MetadataScope: Sendable {
  package private(set) var validUntil: Instant?
  package private(set) var cacheDuration: CalendarDuration?

  /// The signed namespace declarations; nil for metadata that is trusted as a file.
  let namespaces: SignedNamespaces?

  package init() { namespaces = nil }

  /// The scope of what a signature covers.
  init(_ namespaces: SignedNamespaces) { self.namespaces = namespaces }

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
