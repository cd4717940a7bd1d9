import Octets
package import TokenErrors

extension Element {
  /// An attribute of a type whose white space collapses (`xs:anyURI`, `xs:dateTime`).
  package func collapsedAttribute(_ name: ExpandedName) -> String? {
    attributeBytes(name).map { String(decoding: $0.trimmingWhiteSpace, as: UTF8.self) }
  }

  /// The text of an element of a type whose white space collapses.
  ///
  /// - Throws: `xml.mixed-content`.
  package func collapsedText() throws(TokenError) -> String {
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
