import Octets

/// Cuts a source into pieces, as far as there are any where it is not well-formed.
///
/// Where libxml2 parsed the source, its tags end where libxml2 found that they end, whatever is inside of them.
struct MarkupScanner {
  private(set) var pieces: [SourceMarkup.Piece] = []
  private(set) var elements: [SourceMarkup.Element] = []
  private let octets: [UInt8]
  /// The start tags that libxml2 found, in document order; nothing where the source does not parse.
  private let tags: [Range<Int>]
  private var position = 0
  private var open: [Int] = []

  init(_ octets: [UInt8], tags: [Range<Int>]?) {
    self.octets = octets
    self.tags = tags ?? []
    elements.reserveCapacity(self.tags.count)
  }

  mutating func scan() {
    while position < octets.count {
      if octets[position] != ASCII.lessThan {
        let end = octets.firstIndex(of: ASCII.lessThan, from: position) ?? octets.count
        append(.text, position..<end, position..<end)
      } else if starts(with: "<!--") {
        appendDelimited(.comment, 4, "-->")
      } else if starts(with: "<![CDATA[") {
        appendDelimited(.cdata, 9, "]]>")
      } else if starts(with: "<?") {
        appendDelimited(.instruction, 2, "?>")
      } else if starts(with: "<!") {
        appendDelimited(.declaration, 2, ">")
      } else if starts(with: "</") {
        closeElement()
      } else {
        openElement()
      }
    }
  }

  private mutating func append(
    _ kind: SourceMarkup.Piece.Kind, _ whole: Range<Int>, _ content: Range<Int>
  ) {
    pieces.append(SourceMarkup.Piece(kind: kind, whole: whole, content: content))
    position = whole.upperBound
  }

  /// Appends what ends with `end`, or with the source.
  private mutating func appendDelimited(
    _ kind: SourceMarkup.Piece.Kind, _ startCount: Int, _ end: StaticString
  ) {
    let first = min(position + startCount, octets.count)
    let endCount = end.utf8CodeUnitCount
    // The last octet of each end is `>`.
    var close = octets.firstIndex(of: UInt8(ascii: ">"), from: first + endCount - 1)
    while let place = close, !has(end, at: place + 1 - endCount) {
      close = octets.firstIndex(of: UInt8(ascii: ">"), from: place + 1)
    }
    guard let close else {
      return append(kind, position..<octets.count, first..<octets.count)
    }
    append(kind, position..<(close + 1), first..<(close + 1 - endCount))
  }

  // MARK: Elements

  private mutating func closeElement() {
    let start = position
    appendDelimited(.endTag, 2, ">")
    guard let index = open.popLast() else { return }
    elements[index].content = elements[index].startTag.upperBound..<start
    elements[index].whole = elements[index].startTag.lowerBound..<position
  }

  private mutating func openElement() {
    let start = position
    let index = elements.count
    let element = tag(parent: open.last)
    if !element.closesItself { open.append(index) }
    elements.append(element)
    append(.startTag(index), start..<position, start..<position)
  }

  private mutating func tag(parent: Int?) -> SourceMarkup.Element {
    let start = position
    let isKnown = elements.count < tags.count && tags[elements.count].lowerBound == start
    let known = isKnown ? tags[elements.count].upperBound : nil
    position += 1
    let name = name()
    var attributes: [SourceMarkup.Attribute] = []
    var closesItself = false
    while position < (known.map { $0 - 1 } ?? octets.count),
      known != nil || octets[position] != UInt8(ascii: ">")
    {
      let byte = octets[position]
      if ASCII.isWhiteSpace(byte) {
        position += 1
      } else if byte == UInt8(ascii: "/") {
        closesItself = true
        position += 1
      } else {
        attributes.append(attribute())
      }
    }
    position = known ?? min(position + 1, octets.count)
    let spelled = text(name)
    return SourceMarkup.Element(
      name: spelled, localName: String(spelled.split(separator: ":").last ?? ""), nameRange: name,
      parent: parent, attributes: attributes,
      startTag: start..<position, content: position..<position, whole: start..<position,
      closesItself: closesItself)
  }

  /// An attribute; without quotes its value ends where a name does, and a word alone has none.
  private mutating func attribute() -> SourceMarkup.Attribute {
    let name = name()
    var value = position..<position
    skipWhiteSpace()
    if position < octets.count, octets[position] == ASCII.equals {
      position += 1
      skipWhiteSpace()
      let start = position
      if start < octets.count, isQuote(octets[start]) {
        let end = octets.firstIndex(of: octets[start], from: start + 1) ?? octets.count
        value = (start + 1)..<end
        position = min(end + 1, octets.count)
      } else {
        while position < octets.count,
          octets[position] == ASCII.equals || !endsName(octets[position])
        {
          position += 1
        }
        value = start..<position
      }
    } else {
      position = name.upperBound
    }
    return SourceMarkup.Attribute(
      name: text(name), nameRange: name, whole: name.lowerBound..<position, value: value)
  }

  private mutating func skipWhiteSpace() {
    while position < octets.count, ASCII.isWhiteSpace(octets[position]) { position += 1 }
  }

  private mutating func name() -> Range<Int> {
    let start = position
    while position < octets.count, !endsName(octets[position]) { position += 1 }
    // Skips a byte that is no name, so that the scan ends.
    if position == start { position = min(start + 1, octets.count) }
    return start..<position
  }

  // MARK: Octets

  private func text(_ range: Range<Int>) -> String {
    String(decoding: octets[range], as: UTF8.self)
  }

  private func endsName(_ byte: UInt8) -> Bool {
    ASCII.isWhiteSpace(byte) || byte == ASCII.equals || byte == UInt8(ascii: ">")
      || byte == UInt8(ascii: "/")
  }

  private func isQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
  }

  private func starts(with text: StaticString) -> Bool { has(text, at: position) }

  private func has(_ text: StaticString, at place: Int) -> Bool {
    octets.span.extracting(place...).hasPrefix(text)
  }
}
