import Octets
import TokenBasics

/// Checks the octets before the parser reads them. It only refuses and yields no value.
enum InputCheck {
  /// Checks size, encoding, NUL bytes and overlong tags; returns how many `<` there are.
  ///
  /// - Throws: `input.too-large`, `input.empty`, `xml.nul`, `xml.encoding`, `xml.version`,
  ///   `xml.attributes`.
  static func check(_ bytes: [UInt8], _ limits: Limits) throws(TokenError) -> Int {
    guard bytes.count <= min(limits.bytes, Limits.hardByteLimit) else {
      throw TokenError(
        .inputTooLarge, expected: "at most \(limits.bytes) bytes", found: "\(bytes.count) bytes")
    }
    guard !bytes.isEmpty else { throw TokenError(.emptyInput) }
    return try check(part: bytes, isFirst: true, limits)
  }

  /// Checks a part of a document that ends where a tag begins, or where the document ends.
  ///
  /// - Throws: as ``check(_:_:)``, but for the size.
  static func check(part bytes: [UInt8], isFirst: Bool, _ limits: Limits) throws(TokenError) -> Int
  {
    let statistics = ByteStatistics(bytes.span)
    // libxml2 stops at the first NUL and reports success.
    guard !statistics.hasNUL else { throw encodingError(bytes) ?? TokenError(.nulByte) }
    if !statistics.isASCII, let place = bytes.span.firstNotUTF8 {
      throw encodingError(bytes) ?? TokenError(.xmlEncoding, node: "byte \(place)")
    }
    if isFirst { try checkDeclaration(bytes) }
    if statistics.longestTag > harmlessLength(limits) { try checkTags(bytes, limits) }
    return statistics.tagCount
  }

  /// The error for octets that are compressed or UTF-16; nil for others.
  private static func encodingError(_ bytes: [UInt8]) -> TokenError? {
    if ContentEncoding.isUTF16(bytes.span) {
      return TokenError(
        .xmlEncoding, expected: "UTF-8", found: TextKind.utf16.rawValue,
        hint: TokenError.Code.utf16Input.hint)
    }
    return ContentEncoding.compression(bytes.span).map { kind in
      TokenError(.compressedInput, expected: "XML", found: kind.rawValue)
    }
  }

  /// The XML declaration may name UTF-8 or US-ASCII, or no encoding. The parser is told UTF-8 and would
  /// ignore the declaration, so another reader might decode other text.
  private static func checkDeclaration(_ bytes: [UInt8]) throws(TokenError) {
    var start = 0
    if bytes.starts(with: byteOrderMark) {
      start = byteOrderMark.count
      // Some versions of libxml2 would skip a second one too.
      guard !bytes[start...].starts(with: byteOrderMark) else {
        throw TokenError(.malformedXML, node: "byte \(start)")
      }
    }
    guard bytes.span.extracting(start...).hasPrefix("<?xml"),
      bytes.count > start + 5, ASCII.isWhiteSpace(bytes[start + 5])
    else { return }
    // Without an end the parser refuses it; within it there is no other `>`.
    guard let end = bytes.firstIndex(of: UInt8(ascii: ">"), from: start) else { return }
    let declaration = bytes[(start + 5)..<end]
    if let encoding = value(of: "encoding", in: declaration) {
      guard encoding.equalsIgnoringCase("utf-8") || encoding.equalsIgnoringCase("us-ascii") else {
        let text = String(decoding: encoding, as: UTF8.self)
        throw TokenError(.xmlEncoding, expected: "UTF-8", found: TokenError.excerpt(text))
      }
    }
    if let version = value(of: "version", in: declaration) {
      guard version.elementsEqual("1.0".utf8) else {
        let text = String(decoding: version, as: UTF8.self)
        throw TokenError(.xmlVersion, expected: "1.0", found: TokenError.excerpt(text))
      }
    }
  }

  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private static func value(of name: StaticString, in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>?
  {
    let name = Array(name.description.utf8)
    var rest = text
    while let index = rest.firstIndex(of: name[0]) {
      rest = rest[index...]
      if rest.starts(with: name) {
        var value = rest.dropFirst(name.count).drop(while: ASCII.isWhiteSpace)
        if value.popFirst() == ASCII.equals {
          value = value.drop(while: ASCII.isWhiteSpace)
          if let quote = value.popFirst(), let end = value.firstIndex(of: quote) {
            return value[..<end]
          }
        }
      }
      rest = rest.dropFirst()
    }
    return nil
  }

  /// Counts the attributes of long tags: libxml2 compares each attribute of an element with
  /// every other before it can be stopped (100,000 take ten seconds).
  ///
  /// A well-formed attribute value contains no raw `<`, so a tag ends before the next one.
  private static func checkTags(_ bytes: [UInt8], _ limits: Limits) throws(TokenError) {
    let most = limits.attributes + limits.namespaces
    let harmless = harmlessLength(limits)
    var tag = bytes.firstIndex(of: ASCII.lessThan, from: 0)
    while let start = tag {
      let next = bytes.firstIndex(of: ASCII.lessThan, from: start + 1)
      if (next ?? bytes.count) - start > harmless {
        guard attributeCount(bytes[(start + 1)..<(next ?? bytes.count)]) <= most else {
          throw TokenError(.xmlAttributes, node: "byte \(start)", expected: "at most \(most)")
        }
      }
      tag = next
    }
  }

  /// Bytes from one `<` to the next that cannot hold too many attributes: the shortest is ` a=""`.
  private static func harmlessLength(_ limits: Limits) -> Int {
    (limits.attributes + limits.namespaces) * 5
  }

  /// Quoted values up to the `>` that ends the tag; 0 for comments, CDATA and instructions.
  private static func attributeCount(_ text: ArraySlice<UInt8>) -> Int {
    guard let first = text.first, first != UInt8(ascii: "!"), first != UInt8(ascii: "?") else {
      return 0
    }
    var count = 0
    var quote: UInt8 = 0
    for byte in text {
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
        count += 1
      } else if byte == UInt8(ascii: ">") {
        break
      }
    }
    return count
  }
}
