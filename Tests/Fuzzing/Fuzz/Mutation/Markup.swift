/// XML cut into tags and text, whether it is well-formed or not.
struct Markup {
  enum Kind {
    case start
    case end
    case empty
    case text
    /// A comment, an instruction, CDATA or a declaration.
    case other
  }

  struct Token {
    var kind: Kind
    var range: Range<Int>
  }

  let octets: [UInt8]
  private(set) var tokens: [Token] = []
  /// Elements from their first to one past their last byte, in document order.
  private(set) var elements: [Range<Int>] = []

  init(_ octets: [UInt8]) {
    self.octets = octets
    cut()
    match()
  }

  /// The tokens of one kind.
  func ranges(_ kind: Kind) -> [Range<Int>] {
    tokens.lazy.filter { $0.kind == kind }.map(\.range)
  }

  /// Start tags, empty elements among them.
  var startTags: [Range<Int>] {
    tokens.lazy.filter { $0.kind == .start || $0.kind == .empty }.map(\.range)
  }

  /// The name of the tag at `start`.
  func name(at start: Int) -> Range<Int> {
    var end = start + 1
    while end < octets.count, !Self.endsName.contains(octets[end]) { end += 1 }
    return start + 1..<end
  }

  /// The attributes of a start tag, each with the space before it; `xmlns` too.
  func attributes(of tag: Range<Int>) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var index = name(at: tag.lowerBound).upperBound
    while index < tag.upperBound {
      let start = index
      while index < tag.upperBound, octets[index] != 0x22, octets[index] != 0x27 { index += 1 }
      guard index < tag.upperBound else { break }
      let quote = octets[index]
      index += 1
      while index < tag.upperBound, octets[index] != quote { index += 1 }
      index = min(index + 1, tag.upperBound)
      found.append(start..<index)
    }
    return found
  }

  private static let endsName: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0x3E, 0x2F, 0x3C]

  private mutating func cut() {
    var index = 0
    while index < octets.count {
      let start = index
      guard octets[index] == UInt8(ascii: "<") else {
        while index < octets.count, octets[index] != UInt8(ascii: "<") { index += 1 }
        tokens.append(Token(kind: .text, range: start..<index))
        continue
      }
      let rest = octets[index...]
      if rest.starts(with: Array("<!--".utf8)) {
        index = end(of: "-->", from: index)
      } else if rest.starts(with: Array("<![CDATA[".utf8)) {
        index = end(of: "]]>", from: index)
      } else if rest.starts(with: Array("<?".utf8)) {
        index = end(of: "?>", from: index)
      } else if rest.starts(with: Array("<!".utf8)) {
        index = end(of: ">", from: index)
      } else {
        index = endOfTag(index)
        let isEnd = rest.dropFirst().first == UInt8(ascii: "/")
        let isEmpty = index - start > 1 && octets[index - 2] == UInt8(ascii: "/")
        tokens.append(Token(kind: isEnd ? .end : isEmpty ? .empty : .start, range: start..<index))
        continue
      }
      tokens.append(Token(kind: .other, range: start..<index))
    }
  }

  private func endOfTag(_ start: Int) -> Int {
    var quote: UInt8 = 0
    for index in start + 1..<max(start + 1, octets.count) {
      let byte = octets[index]
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else if byte == 0x22 || byte == 0x27 {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return index + 1
      }
    }
    return octets.count
  }

  private func end(of mark: StaticString, from start: Int) -> Int {
    let mark = Array(mark.description.utf8)
    var index = start
    while index + mark.count <= octets.count {
      if octets[index..<index + mark.count].elementsEqual(mark) { return index + mark.count }
      index += 1
    }
    return octets.count
  }

  private mutating func match() {
    var open: [Int] = []
    for token in tokens {
      switch token.kind {
      case .start:
        open.append(elements.count)
        elements.append(token.range)
      case .empty: elements.append(token.range)
      case .end:
        guard let last = open.popLast() else { continue }
        elements[last] = elements[last].lowerBound..<token.range.upperBound
      case .text, .other: break
      }
    }
  }
}
