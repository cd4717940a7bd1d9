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
      let isWhole = count &- index >= blockCount
      if isWhole, isPlain(text.extracting(index..<index &+ blockCount), place) {
        index &+= blockCount
        continue
      }
      let end = isWhole ? index &+ blockCount : count
      while index < end {
        let byte = text[index]
        if special(byte, place) != 0 {
          output.append(text.extracting(start..<index))
          output.append(literal: replacement(for: byte))
          start = index &+ 1
        }
        index &+= 1
      }
    }
    output.append(text.extracting(start..<count))
  }

  private static let blockCount = 16

  /// Whether no byte of a block is special. The loop runs to its end in any case, so the compiler can
  /// look at all bytes at once.
  @inline(__always)
  private static func isPlain(_ block: Span<UInt8>, _ place: Place) -> Bool {
    var found: UInt8 = 0
    for index in 0..<blockCount { found |= special(block[index], place) }
    return found == 0
  }

  /// 1 for a special byte, 0 for any other.
  @inline(__always)
  private static func special(_ byte: UInt8, _ place: Place) -> UInt8 {
    switch place {
    case .text:
      // `<` and `>` differ in the bit of 2.
      (byte == UInt8(ascii: "&") ? 1 : 0) | (byte | 2 == UInt8(ascii: ">") ? 1 : 0)
        | (byte == 0x0D ? 1 : 0)
    case .attribute:
      // `"` and `&` differ in the bit of 4; XML has no control characters but those three.
      (byte | 4 == UInt8(ascii: "&") ? 1 : 0) | (byte == UInt8(ascii: "<") ? 1 : 0)
        | (byte < 0x20 ? 1 : 0)
    case .lineEnds:
      byte == 0x0D ? 1 : 0
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
