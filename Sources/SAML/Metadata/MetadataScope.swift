package import Instants
package import TokenErrors
package import XMLTree

/// What an element of metadata inherits from those around it.
package struct MetadataScope: Sendable {
  package private(set) var validUntil: Instant?
  package private(set) var cacheDuration: CalendarDuration?

  package init() {}

  /// The scope inside `element`: the earliest `validUntil` counts, and the nearest `cacheDuration`
  /// (SAML Metadata 2.3.1).
  ///
  /// - Throws: `time.malformed`, `time.malformed-duration`.
  package func entered(_ element: Element) throws(TokenError) -> MetadataScope {
    var inner = self
    if let own = try element.instant(MetadataName.validUntil) {
      inner.validUntil = validUntil.map { min($0, own) } ?? own
    }
    if let text = element.collapsedAttribute(MetadataName.cacheDuration) {
      do {
        inner.cacheDuration = try CalendarDuration(text)
      } catch {
        throw error.located(at: "\(element.path)/@cacheDuration")
      }
    }
    return inner
  }
}
