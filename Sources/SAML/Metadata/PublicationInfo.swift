import Instants
import TokenErrors
import XMLTree

/// The publication information of a metadata document (SAML V2.0 Metadata Extensions for
/// Registration and Publication Information, 2.2).
struct PublicationInfo {
  /// When the publisher made the document.
  let creationInstant: Instant?

  /// - Parameter root: The document element. That of entities below applies to them alone.
  /// - Throws: `time.malformed`.
  init?(of root: Element) throws(TokenError) {
    guard let extensions = try root.children().first(where: { $0.isNamed(MetadataName.extensions) })
    else { return nil }
    try self.init(extensions: extensions)
  }

  /// - Parameter extensions: A child of the document element; nothing is read from other elements.
  /// - Throws: `time.malformed`.
  init?(extensions: Element) throws(TokenError) {
    guard extensions.isNamed(MetadataName.extensions),
      let info = try extensions.children().first(where: {
        $0.isNamed(MetadataName.publicationInfo)
      })
    else { return nil }
    creationInstant = try info.instant(MetadataName.creationInstant)
  }
}
