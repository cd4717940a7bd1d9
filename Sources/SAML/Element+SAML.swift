import Instants
import Octets
import TokenErrors
import XMLTree

extension Element {
  /// An `xs:dateTime` attribute, white space collapsed.
  ///
  /// - Throws: `time.malformed`.
  func instant(_ name: ExpandedName) throws(TokenError) -> Instant? {
    guard let text = collapsedAttribute(name) else { return nil }
    do {
      return try Instant(dateTime: text)
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

  /// An attribute of a type whose white space collapses (`xs:anyURI`, `xs:dateTime`).
  func collapsedAttribute(_ name: ExpandedName) -> String? {
    attributeBytes(name).map { String(decoding: $0.trimmingWhiteSpace, as: UTF8.self) }
  }

  /// The text of an element of a type whose white space collapses.
  ///
  /// - Throws: `xml.mixed-content`.
  func collapsedText() throws(TokenError) -> String {
    String(decoding: try textBytes().trimmingWhiteSpace, as: UTF8.self)
  }
}

extension ArraySlice<UInt8> {
  /// Without XML white space at either end. No other character counts as white space.
  fileprivate var trimmingWhiteSpace: ArraySlice<UInt8> {
    var slice = self.drop(while: ASCII.isWhiteSpace)
    while let last = slice.last, ASCII.isWhiteSpace(last) { slice.removeLast() }
    return slice
  }
}
