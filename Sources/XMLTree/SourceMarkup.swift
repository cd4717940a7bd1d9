import Octets

/// Where the tags are in octets that the parser, or the canonicalizer that wrote them, found well-formed.
///
/// For display alone: it shows what an element looked like in the source, which the tree does not keep. Nothing
/// is read from it; an octet that does not belong there ends the list.
package struct SourceMarkup: Sendable {
  /// A start tag, or the tag of an empty element, from `<` to behind `>`; in document order.
  package private(set) var startTags: [Range<Int>] = []
  /// How many comments there are.
  package private(set) var comments = 0
  /// How many CDATA sections there are.
  package private(set) var sections = 0

  package init(_ octets: [UInt8]) {
    var index = 0
    while let start = octets.firstIndex(of: ASCII.lessThan, from: index) {
      let end: Int?
      if Self.has("<!--", octets, start) {
        comments += 1
        end = Self.end(of: "-->", octets, start + 4)
      } else if Self.has("<![CDATA[", octets, start) {
        sections += 1
        end = Self.end(of: "]]>", octets, start + 9)
      } else if Self.has("<?", octets, start) {
        end = Self.end(of: "?>", octets, start + 2)
      } else if Self.has("</", octets, start) {
        end = Self.end(of: ">", octets, start + 2)
      } else {
        end = Self.tagEnd(octets, start + 1)
        if let end { startTags.append(start..<end) }
      }
      guard let end else { return }
      index = end
    }
  }

  private static func has(_ text: StaticString, _ octets: [UInt8], _ start: Int) -> Bool {
    octets.span.extracting(start...).hasPrefix(text)
  }

  /// Behind the next `text`.
  private static func end(of text: StaticString, _ octets: [UInt8], _ start: Int) -> Int? {
    var index = start
    while index < octets.count {
      if has(text, octets, index) { return index + text.utf8CodeUnitCount }
      index += 1
    }
    return nil
  }

  /// Behind the `>` that is in no value.
  private static func tagEnd(_ octets: [UInt8], _ start: Int) -> Int? {
    var quote: UInt8?
    for index in start..<octets.count {
      let octet = octets[index]
      if let open = quote {
        if octet == open { quote = nil }
      } else if octet == UInt8(ascii: ">") {
        return index + 1
      } else if octet == UInt8(ascii: "\"") || octet == UInt8(ascii: "'") {
        quote = octet
      }
    }
    return nil
  }
}

extension Document {
  /// The document as it was parsed.
  package var source: [UInt8] { Array(storage.octets.prefix(storage.sourceCount)) }
}
