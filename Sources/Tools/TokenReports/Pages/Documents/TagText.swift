import XMLTree

/// The octets of a start tag that the parser found well-formed, cut where its values are.
struct TagText {
  /// The text before a value, with its quote, and the value.
  private(set) var values: [(before: String, name: String, value: String)] = []
  private(set) var rest = ""

  init(_ tag: [UInt8]) {
    var start = 0
    for attribute in SourceMarkup(fragment: tag).elements.first?.attributes ?? [] {
      values.append(
        (
          before: String(decoding: tag[start..<attribute.value.lowerBound], as: UTF8.self),
          name: attribute.name, value: String(decoding: tag[attribute.value], as: UTF8.self)
        ))
      start = attribute.value.upperBound
    }
    rest = String(decoding: tag[start...], as: UTF8.self)
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
