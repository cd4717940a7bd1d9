import Octets
package import TokenErrors

extension Element {
  /// An attribute of a type whose white space collapses (`xs:anyURI`, `xs:dateTime`).
  package func collapsedAttribute(_ name: ExpandedName) -> String? {
    collapsedAttributeRange(name).map(string)
  }

  /// The range in ``Document/octets`` of the value of such an attribute.
  package func collapsedAttributeRange(_ name: ExpandedName) -> Range<Int>? {
    guard let range = attributeRange(name) else { return nil }
    return storage.octets.trimmingWhiteSpace(range)
  }

  /// The text of an element of a type whose white space collapses.
  ///
  /// - Throws: `xml.mixed-content`.
  package func collapsedText() throws(TokenError) -> String {
    if let range = try collapsedTextRange() { return string(range) }
    return String(decoding: try textBytes().trimmingWhiteSpace, as: UTF8.self)
  }

  /// The range in ``Document/octets`` of that text; nil when comments divide it.
  ///
  /// - Throws: `xml.mixed-content`.
  package func collapsedTextRange() throws(TokenError) -> Range<Int>? {
    guard let range = try textRange() else { return nil }
    return storage.octets.trimmingWhiteSpace(range)
  }
}

extension ArraySlice<UInt8> {
  /// Without XML white space at either end. No other character counts as white space.
  package var trimmingWhiteSpace: ArraySlice<UInt8> { self[trimmingWhiteSpace(indices)] }
}

extension RandomAccessCollection where Element == UInt8, Index == Int {
  fileprivate func trimmingWhiteSpace(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, ASCII.isWhiteSpace(self[start]) { start += 1 }
    while start < end, ASCII.isWhiteSpace(self[end - 1]) { end -= 1 }
    return start..<end
  }
}
