import Octets
import XMLTree

/// The octets of a start tag that the parser found well-formed, cut where its values are.
struct TagText {
  /// The text before a value, with its quote, and the value.
  private(set) var values: [(before: String, name: String, value: String)] = []
  private(set) var rest = ""

  init(_ tag: [UInt8]) {
    var start = 0
    var index = 0
    while index < tag.count {
      let quote = tag[index]
      guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
        let end = tag.firstIndex(of: quote, from: index + 1)
      else {
        index += 1
        continue
      }
      let before = tag[start...index]
      values.append(
        (
          before: String(decoding: before, as: UTF8.self), name: Self.name(before),
          value: String(decoding: tag[(index + 1)..<end], as: UTF8.self)
        ))
      start = end
      index = end + 1
    }
    rest = String(decoding: tag[start...], as: UTF8.self)
  }

  /// The name in front of `="`.
  private static func name(_ before: ArraySlice<UInt8>) -> String {
    let name = before.dropLast().reversed().drop { ASCII.isWhiteSpace($0) || $0 == ASCII.equals }
      .prefix { !ASCII.isWhiteSpace($0) }
    return String(decoding: name.reversed(), as: UTF8.self)
  }
}

extension HTMLWriter {
  /// A start tag as it is written, values masked.
  mutating func tag(_ octets: [UInt8], of element: Element, _ disclosure: Disclosure) {
    let tag = TagText(octets)
    let attributes = element.attributes
    begin(.code)
    for (before, name, value) in tag.values.prefix(64) {
      text(PageText.cut(before, PageLimits.characters))
      let isDeclaration = name == "xmlns" || name.hasPrefix("xmlns:")
      let attribute = attributes.first { $0.qualifiedName == name }
      self.value(
        value, disclosure,
        isPublic: isDeclaration || attribute.map { XMLVisibility.shows($0, of: element) } == true)
    }
    text(tag.values.count > 64 ? "…" : PageText.cut(tag.rest, PageLimits.characters))
    close(to: depth - 1)
  }
}
