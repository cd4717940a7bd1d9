import Octets

/// The character replacements of Canonical XML 1.0, 2.3. Runs without a special byte are copied whole.
enum Escaping {
  /// Text: `&`, `<`, `>` and carriage return.
  static func writeText(_ bytes: [UInt8], _ range: Range<Int>, to output: inout OctetWriter) {
    write(bytes.span.extracting(range), .text, to: &output)
  }

  /// Attribute values: `&`, `<`, `"`, tab, line feed and carriage return.
  static func writeAttribute(_ bytes: [UInt8], _ range: Range<Int>, to output: inout OctetWriter) {
    write(bytes.span.extracting(range), .attribute, to: &output)
  }

  /// Comments and processing instructions: carriage return.
  static func writeLineEnds(_ bytes: [UInt8], _ range: Range<Int>, to output: inout OctetWriter) {
    write(bytes.span.extracting(range), .lineEnds, to: &output)
  }

  private enum Place {
    case text
    case attribute
    case lineEnds
  }

  @inline(__always)
  private static func write(_ text: Span<UInt8>, _ place: Place, to output: inout OctetWriter) {
    var start = 0
    var index = 0
    let count = text.count
    while index < count {
      let isWhole = count &- index >= ByteLanes.count
      if isWhole, isPlain(ByteLanes.word(text, at: index), place) {
        index &+= ByteLanes.count
        continue
      }
      let end = isWhole ? index &+ ByteLanes.count : count
      while index < end {
        let byte = text[index]
        if isSpecial(byte, place) {
          output.append(text.extracting(start..<index))
          output.append(literal: replacement(for: byte))
          start = index &+ 1
        }
        index &+= 1
      }
    }
    output.append(text.extracting(start..<count))
  }

  /// Whether no byte of eight is special.
  @inline(__always)
  private static func isPlain(_ word: UInt64, _ place: Place) -> Bool {
    switch place {
    case .text:
      // `<` and `>` differ in the bit of 2.
      ByteLanes.equal(UInt8(ascii: "&"), word)
        | ByteLanes.equal(UInt8(ascii: ">"), word | ByteLanes.ones &* 2)
        | ByteLanes.equal(0x0D, word) == 0
    case .attribute:
      // `"` and `&` differ in the bit of 4; XML has no control characters but those three.
      ByteLanes.equal(UInt8(ascii: "&"), word | ByteLanes.ones &* 4)
        | ByteLanes.equal(UInt8(ascii: "<"), word) | ByteLanes.below(0x20, word) == 0
    case .lineEnds:
      ByteLanes.equal(0x0D, word) == 0
    }
  }

  @inline(__always)
  private static func isSpecial(_ byte: UInt8, _ place: Place) -> Bool {
    switch place {
    case .text: byte == UInt8(ascii: "&") || byte | 2 == UInt8(ascii: ">") || byte == 0x0D
    case .attribute:
      byte | 4 == UInt8(ascii: "&") || byte == UInt8(ascii: "<") || byte < 0x20
    case .lineEnds: byte == 0x0D
    }
  }

  private static func replacement(for byte: UInt8) -> StaticString {
    switch byte {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): "&quot;"
    case ASCII.tab: "&#x9;"
    case ASCII.lineFeed: "&#xA;"
    default: "&#xD;"
    }
  }
}
