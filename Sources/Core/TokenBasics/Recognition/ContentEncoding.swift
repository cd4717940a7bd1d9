import Octets

/// Encodings around a text, undone once each to say what is inside.
package enum ContentEncoding {
  /// Whether the octets are UTF-16: with a byte order mark, or with a NUL beside the first letter,
  /// as XML 1.0, Appendix F tells it.
  package static func isUTF16(_ octets: Span<UInt8>) -> Bool {
    guard octets.count >= 2 else { return false }
    let (first, second) = (octets[0], octets[1])
    if first == 0xFF, second == 0xFE { return true }
    if first == 0xFE, second == 0xFF { return true }
    guard octets.count >= 4 else { return false }
    let isLittle = second == 0 && octets[3] == 0 && isGraphic(first)
    let isBig = first == 0 && octets[2] == 0 && isGraphic(second)
    return isLittle || isBig
  }

  private static func isGraphic(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F }

  /// The kind of compressed octets; nil for others.
  package static func compression(_ octets: Span<UInt8>) -> TextKind? {
    guard octets.count >= 4 else { return nil }
    if octets[0] == 0x1F, octets[1] == 0x8B { return .gzip }
    if octets.hasPrefix("PK"), octets[2] == 3, octets[3] == 4 { return .zip }
    // RFC 1950, 2.2: the header is a multiple of 31; text has no such first byte but `x`.
    let check = Int(octets[0]) << 8 | Int(octets[1])
    if octets[0] == 0x78, check % 31 == 0, octets[1] < 0x20 || octets[1] > 0x7E || octets[2] > 0x7E
    {
      return .zlib
    }
    return nil
  }

  /// UTF-16 as UTF-8; nil for an unpaired surrogate or half a code unit.
  static func utf8(fromUTF16 octets: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes = Array(octets)
    let isBig = bytes.starts(with: [0xFE, 0xFF]) || bytes.first == 0
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      bytes.removeFirst(2)
    }
    // White space at the end may have lost its half.
    if bytes.count % 2 == 1 { bytes.removeLast() }
    let units = stride(from: 0, to: bytes.count, by: 2).map { index -> UInt16 in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBig ? first << 8 | second : second << 8 | first
    }
    return String(validating: units, as: UTF16.self).map { Array($0.utf8) }
  }

  /// The text with its references to characters replaced by them, as HTML has them in attributes.
  static func withoutReferences(_ octets: ArraySlice<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    var rest = octets
    while let byte = rest.first {
      if byte == ASCII.ampersand, let escape = Escape.reference(rest, isHTML: true) {
        text += escape.meaning
        rest = rest.dropFirst(escape.length)
      } else {
        text.append(byte)
        rest = rest.dropFirst()
      }
    }
    return text
  }

  /// What a text may be when one encoding around it is undone, in the order in which they are likely.
  static func unescaped(_ octets: ArraySlice<UInt8>) -> [[UInt8]] {
    var texts: [[UInt8]] = []
    if let unquoted = unquoted(octets) { texts.append(unquoted) }
    if octets.firstRange(ofBytes: "&lt;") != nil || octets.firstRange(ofBytes: "&#") != nil {
      texts.append(withoutReferences(octets))
    }
    if ["\\\"", "\\u00", "\\n", "\\/"].contains(where: { octets.firstRange(ofBytes: $0) != nil }) {
      let text = Array("\"".utf8) + octets + Array("\"".utf8)
      if let string = (try? JSONParser.parse(text))?.string { texts.append(Array(string.utf8)) }
    }
    if octets.contains(ASCII.percent), let decoded = try? FormEncoding.decode(octets, plus: .isPlus)
    {
      texts.append(decoded)
    }
    if let text = withoutQuotation(octets) { texts.append(text) }
    if octets.contains(0x1B) { texts.append(LinedText.withoutSequences(octets)) }
    texts += MailText.decodedParts(octets)
    if let plain = withoutQuotedPrintable(octets) { texts.append(plain) }
    if let digits = hexadecimal(octets) { texts.append(digits) }
    let body = withoutBoundaries(octets)
    if let decoded = TextSample.decoded(body), isText(decoded) { texts.append(decoded) }
    return texts.filter { !$0.elementsEqual(octets) }
  }

  /// The text between quotation marks of one kind.
  static func unquoted(_ octets: ArraySlice<UInt8>) -> [UInt8]? {
    let text = String(decoding: octets, as: UTF8.self)
    let pairs: [(Character, Character)] = [
      ("\"", "\""), ("'", "'"), ("`", "`"), ("\u{201C}", "\u{201D}"), ("\u{2018}", "\u{2019}"),
      ("\u{201E}", "\u{201C}"), ("\u{AB}", "\u{BB}"), ("<", ">"), ("(", ")"),
    ]
    for (first, last) in pairs where text.first == first {
      var inside = text.dropFirst()
      while let end = inside.last, end == last || end == "," || end == ";" { inside.removeLast() }
      return Array(inside.utf8)
    }
    return nil
  }

  /// The lines of a mail's quotation without the `>` before them; nil where one has none.
  static func withoutQuotation(_ octets: ArraySlice<UInt8>) -> [UInt8]? {
    let mark = UInt8(ascii: ">")
    // Most texts have none, and a text may have very many lines.
    guard octets.first(where: { $0 != ASCII.lineFeed }) == mark else { return nil }
    let lines = octets.split(separator: ASCII.lineFeed)
    guard lines.allSatisfy({ $0.first == mark }) else { return nil }
    let inside = lines.map { line in
      line.drop { $0 == mark }.drop(while: ASCII.isWhiteSpace)
    }
    return Array(inside.joined(separator: [ASCII.lineFeed]))
  }

  /// A mail's quoted-printable text (RFC 2045, 6.7) as it was; nil where it has no soft line end.
  static func withoutQuotedPrintable(_ octets: ArraySlice<UInt8>) -> [UInt8]? {
    guard octets.firstRange(ofBytes: "=\n") != nil || octets.firstRange(ofBytes: "=\r\n") != nil
    else { return nil }
    var text: [UInt8] = []
    var rest = octets
    while let byte = rest.popFirst() {
      guard byte == ASCII.equals else {
        text.append(byte)
        continue
      }
      if rest.first == ASCII.carriageReturn { rest = rest.dropFirst() }
      if rest.first == ASCII.lineFeed {
        rest = rest.dropFirst()
      } else if rest.count >= 2, let value = Hex.number(rest.prefix(2)) {
        text.append(UInt8(truncatingIfNeeded: value))
        rest = rest.dropFirst(2)
      } else {
        text.append(byte)
      }
    }
    return text
  }

  /// The octets of hexadecimal digits.
  static func hexadecimal(_ octets: ArraySlice<UInt8>) -> [UInt8]? {
    let digits = octets.filter { !ASCII.isWhiteSpace($0) && $0 != UInt8(ascii: ":") }
    guard digits.count >= 64, digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let value = Hex.number(digits[index..<index + 2]) else { return nil }
      bytes.append(UInt8(truncatingIfNeeded: value))
    }
    return bytes
  }

  /// The octets of DER as source text has them: hexadecimal digits with `0x` or `\x` before each two.
  static func hexadecimalInSource(_ octets: ArraySlice<UInt8>) -> [UInt8]? {
    guard
      let start = octets.firstRange(ofBytes: "0x30") ?? octets.firstRange(ofBytes: "\\x30")
    else { return nil }
    let part = octets[start.lowerBound...].prefix { $0 != UInt8(ascii: "}") }
    let digits = String(decoding: part, as: UTF8.self)
      .replacing("0x", with: "").replacing("\\x", with: "").filter { !", ;\"".contains($0) }
    return hexadecimal(Array(digits.utf8)[...])
  }

  /// The text between a BEGIN and an END line; any other as it is.
  static func withoutBoundaries(_ octets: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard octets.starts(with: "-----BEGIN".utf8) else { return octets }
    let lines = octets.split(separator: ASCII.lineFeed)
    let body = lines.dropFirst().prefix { !$0.starts(with: "-----END".utf8) }
    return Array(body.joined(separator: [ASCII.lineFeed]))[...]
  }

  /// Whether the octets are text of UTF-8 without control characters but for white space.
  static func isText(_ octets: [UInt8]) -> Bool {
    octets.span.firstNotUTF8 == nil
      && octets.allSatisfy { $0 >= 0x20 && $0 != 0x7F || ASCII.isWhiteSpace($0) }
  }
}
