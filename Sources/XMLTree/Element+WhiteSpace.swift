import Octets
package import TokenErrors

extension Element {
  /// An attribute of a type whose white space collapses (`xs:anyURI`, `xs:dateTime`).
  package func collapsedAttribute(_ name: ExpandedName) -> String? {
    collapsedAttributeBytes(name).map { String(decoding: $0, as: UTF8.self) }
  }

  /// As ``collapsedAttribute(_:)``, in UTF-8.
  package func collapsedAttributeBytes(_ name: ExpandedName) -> ArraySlice<UInt8>? {
    attributeBytes(name)?.trimmingWhiteSpace
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
  package var trimmingWhiteSpace: ArraySlice<UInt8> {
    var (start, end) = (startIndex, endIndex)
    while start < end, ASCII.isWhiteSpace(self[start]) { start += 1 }
    while start < end, ASCII.isWhiteSpace(self[end - 1]) { end -= 1 }
    return self[start..<end]
  }
}
