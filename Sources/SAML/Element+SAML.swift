import Instants
import TokenErrors
import XMLTree

extension Element {
  /// An `xs:dateTime` attribute, white space collapsed.
  ///
  /// - Throws: `time.malformed`.
  func instant(_ name: ExpandedName) throws(TokenError) -> Instant? {
    guard let range = collapsedAttributeRange(name) else { return nil }
    do {
      return try withBytes(range) { text throws(TokenError) in try Instant(dateTime: text) }
    } catch {
      throw error.located(at: "\(path)/@\(name)")
    }
  }

  /// An `xs:dateTime` attribute that must be there.
  ///
  /// - Throws: `time.malformed`, `xml.missing-attribute`.
  func requiredInstant(_ name: ExpandedName) throws(TokenError) -> Instant {
    guard let instant = try instant(name) else {
      throw TokenError(.missingAttribute, node: path, expected: "@\(name)")
    }
    return instant
  }
}
