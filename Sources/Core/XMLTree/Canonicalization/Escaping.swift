import Octets
import TokenBasics

/// The character replacements of Canonical XML 1.0, 2.3. Text without a special byte, as nearly
/// all is, is copied while it is looked at.
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

  /// Whether canonical form writes this text unchanged.
  @inline(__always)
  static func isPlainText(_ text: Span<UInt8>) -> Bool {
    !ByteVector.hasAny(text) { special($0, .text) }
  }

  /// Whether canonical form writes this attribute value unchanged.
  @inline(__always)
  static func isPlainAttribute(_ value: Span<UInt8>) -> Bool {
    !ByteVector.hasAny(value) { special($0, .attribute) }
  }

  private enum Place {
    case text
    case attribute
    case lineEnds
  }

  @inline(__always)
  private static func write(_ text: Span<UInt8>, _ place: Place, to output: inout OctetWriter) {
    guard !output.append(text, unless: { special($0, place) }) else { return }
    writeReplacing(text, place, to: &output)
  }

  @inline(never)
  private static func writeReplacing(
    _ text: Span<UInt8>, _ place: Place, to output: inout OctetWriter
  ) {
    var start = 0
    for index in 0..<text.count where isSpecial(text[index], place) {
      output.append(text.extracting(start..<index))
      output.append(literal: MarkupEscaping.reference(to: text[index]))
      start = index &+ 1
    }
    output.append(text.extracting(start..<text.count))
  }

  /// Which of sixteen bytes are special.
  @inline(__always)
  private static func special(_ lanes: SIMD16<UInt8>, _ place: Place) -> SIMD16<UInt8> {
    switch place {
    case .text:
      // `<` and `>` differ in the bit of 2.
      ByteVector.equal(UInt8(ascii: "&"), lanes)
        | ByteVector.equal(UInt8(ascii: ">"), lanes | SIMD16(repeating: 2))
        | ByteVector.equal(0x0D, lanes)
    case .attribute:
      // `"` and `&` differ in the bit of 4; XML has no control characters but those three.
      ByteVector.equal(UInt8(ascii: "&"), lanes | SIMD16(repeating: 4))
        | ByteVector.equal(UInt8(ascii: "<"), lanes) | ByteVector.below(0x20, lanes)
    case .lineEnds:
      ByteVector.equal(0x0D, lanes)
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
}
