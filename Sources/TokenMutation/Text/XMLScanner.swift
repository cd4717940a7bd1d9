import Octets

/// Finds the tags of a well-formed document.
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
        guard let index = open.popLast() else { return elements }
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
    return XMLText.Element(
      name: name, parent: parent, attributes: attributes, startTag: start..<position,
      content: position..<position, whole: start..<position, closesItself: closesItself)
  }

  private mutating func attribute() -> XMLText.Attribute {
    let start = position
    let name = name()
    while position < octets.count, !isQuote(octets[position]) { position += 1 }
    guard position < octets.count else {
      return XMLText.Attribute(name: name, whole: start..<position, value: position..<position)
    }
    let quote = octets[position]
    let value = position + 1
    let end = octets.firstIndex(of: quote, from: value) ?? octets.count
    position = min(end + 1, octets.count)
    return XMLText.Attribute(name: name, whole: start..<position, value: value..<end)
  }

  private mutating func name() -> String {
    let start = position
    while position < octets.count, !endsName(octets[position]) { position += 1 }
    // Skips a byte that is no name, so that the scan ends.
    if position == start { position += 1 }
    return String(decoding: octets[start..<position], as: UTF8.self)
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
