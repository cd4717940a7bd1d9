import Octets

/// Finds the tags of a document, as far as there are any where it is not well-formed.
struct XMLScanner {
  private let octets: [UInt8]
  private var position = 0

  init(_ octets: [UInt8]) { self.octets = octets }

  mutating func elements() -> [XMLText.Element] {
    var elements: [XMLText.Element] = []
    var open: [Int] = []
    while let start = octets.firstIndex(of: ASCII.lessThan, from: position) {
      position = start
      if starts(with: "<!--") {
        skip(past: "-->")
      } else if starts(with: "<![CDATA[") {
        skip(past: "]]>")
      } else if starts(with: "<?") {
        skip(past: "?>")
      } else if starts(with: "<!") {
        skip(past: ">")
      } else if starts(with: "</") {
        skip(past: ">")
        guard let index = open.popLast() else { continue }
        elements[index].content = elements[index].startTag.upperBound..<start
        elements[index].whole = elements[index].startTag.lowerBound..<position
      } else {
        let element = tag(parent: open.last)
        if !element.closesItself { open.append(elements.count) }
        elements.append(element)
      }
    }
    return elements
  }

  private mutating func tag(parent: Int?) -> XMLText.Element {
    let start = position
    position += 1
    let name = name()
    var attributes: [XMLText.Attribute] = []
    var closesItself = false
    while position < octets.count, octets[position] != UInt8(ascii: ">") {
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
    position = min(position + 1, octets.count)
    let spelled = text(name)
    return XMLText.Element(
      name: spelled, localName: String(spelled.split(separator: ":").last ?? ""), nameRange: name,
      parent: parent, attributes: attributes,
      startTag: start..<position, content: position..<position, whole: start..<position,
      closesItself: closesItself)
  }

  /// An attribute; without quotes its value ends where a name does, and a word alone has none.
  private mutating func attribute() -> XMLText.Attribute {
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
    return XMLText.Attribute(
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

  private func starts(with text: StaticString) -> Bool {
    octets[position...].starts(with: text.description.utf8)
  }

  private mutating func skip(past text: StaticString) {
    let wanted = Array(text.description.utf8)
    while position < octets.count, !octets[position...].starts(with: wanted) { position += 1 }
    position = min(position + wanted.count, octets.count)
  }
}
