import Octets

extension EscapedText {
  /// The content of an element without elements inside: text with references, sections of CDATA, and comments and
  /// processing instructions, which divide the text but are no part of it.
  ///
  /// Nil where there is an element, or markup that does not end.
  ///
  /// - Parameter aside: What is written in place of a comment or processing instruction.
  init?(
    content source: ArraySlice<UInt8>, aside: (ArraySlice<UInt8>) -> [UInt8] = { Array($0) }
  ) {
    var rest = source
    while let first = rest.first {
      let part: ArraySlice<UInt8>
      if first != ASCII.lessThan {
        part = rest.prefix { $0 != ASCII.lessThan }
        append(EscapedText(xml: part))
      } else if let section = Self.markup(Self.cdataStart, "]]>", at: rest) {
        part = section
        append([], .verbatim(Array(Self.cdataStart.utf8)))
        append(section.dropFirst(Self.cdataStart.utf8.count).dropLast(3), .literal)
        append([], .verbatim(Array("]]>".utf8)))
      } else if let other = Self.markup("<!--", "-->", at: rest)
        ?? Self.markup("<?", "?>", at: rest)
      {
        part = other
        append([], .verbatim(aside(other)))
      } else {
        return nil
      }
      rest = rest[part.endIndex...]
    }
  }

  private static let cdataStart = "<![CDATA["

  /// The markup of that kind that the text begins with.
  private static func markup(
    _ start: String, _ end: String, at text: ArraySlice<UInt8>
  ) -> ArraySlice<UInt8>? {
    guard text.starts(with: start.utf8) else { return nil }
    let wanted = Array(end.utf8)
    var place = text.startIndex + start.utf8.count
    while place + wanted.count <= text.endIndex {
      if text[place...].starts(with: wanted) { return text[..<(place + wanted.count)] }
      place += 1
    }
    return nil
  }
}
