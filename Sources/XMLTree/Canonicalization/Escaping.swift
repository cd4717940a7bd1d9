import Octets

/// The character replacements of Canonical XML 1.0, 2.3. Runs without a special byte are copied whole.
enum Escaping {
  /// Text: `&`, `<`, `>` and carriage return.
  static func writeText(_ bytes: [UInt8], _ range: Range<Int>, to output: inout OctetWriter) {
    write(bytes.span.extracting(range), Classes.text, to: &output)
  }

  /// Attribute values: `&`, `<`, `"`, tab, line feed and carriage return.
  static func writeAttribute(_ bytes: [UInt8], _ range: Range<Int>, to output: inout OctetWriter) {
    write(bytes.span.extracting(range), Classes.attribute, to: &output)
  }

  /// Comments and processing instructions: carriage return.
  static func writeLineEnds(_ bytes: [UInt8], _ range: Range<Int>, to output: inout OctetWriter) {
    write(bytes.span.extracting(range), Classes.lineEnds, to: &output)
  }

  @inline(__always)
  private static func write(_ text: Span<UInt8>, _ special: UInt8, to output: inout OctetWriter) {
    var start = 0
    var index = 0
    let count = text.count
    while index < count {
      let byte = text[index]
      if byte < 64, classes[Int(byte)] & special != 0 {
        output.append(text.extracting(start..<index))
        output.append(replacement(for: byte))
        start = index &+ 1
      }
      index &+= 1
    }
    output.append(start == 0 ? text : text.extracting(start..<count))
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

  private enum Classes {
    static let text: UInt8 = 1
    static let attribute: UInt8 = 2
    static let lineEnds: UInt8 = 4
  }

  /// By byte below 64: in which places it is special.
  private static let classes: InlineArray<64, UInt8> = {
    var classes = InlineArray<64, UInt8>(repeating: 0)
    classes[Int(UInt8(ascii: "&"))] = Classes.text | Classes.attribute
    classes[Int(UInt8(ascii: "<"))] = Classes.text | Classes.attribute
    classes[Int(UInt8(ascii: ">"))] = Classes.text
    classes[Int(UInt8(ascii: "\""))] = Classes.attribute
    classes[Int(ASCII.tab)] = Classes.attribute
    classes[Int(ASCII.lineFeed)] = Classes.attribute
    classes[Int(ASCII.carriageReturn)] = Classes.text | Classes.attribute | Classes.lineEnds
    return classes
  }()
}
