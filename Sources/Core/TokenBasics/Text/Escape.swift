package import Octets

/// An escape that was read: what it stands for, how long it is, and its form, in which other octets can be written.
///
/// The one reader of percent-escapes, references and escapes of JSON for whatever looks behind them and decides
/// nothing by them. Tokens are read by their parsers.
package struct Escape: Sendable {
  package enum Form: Sendable {
    /// No escape.
    case literal
    /// Stays as it is written, whatever it stands for.
    case verbatim([UInt8])
    case percent(Hex.Letters)
    case decimalReference(digits: Int)
    case hexadecimalReference(digits: Int, Hex.Letters)
    case jsonUnicode(Hex.Letters)
    /// A backslash and a character that makes no escape of JSON with it.
    case backslash
  }

  /// What it stands for, in UTF-8.
  package let meaning: [UInt8]
  /// The number of its octets.
  package let length: Int
  package let form: Form

  /// The percent-escape at the start (RFC 3986, 2.1).
  package static func percent(_ source: ArraySlice<UInt8>) -> Escape? {
    let digits = source.dropFirst().prefix(2)
    guard source.first == ASCII.percent, digits.count == 2, let value = Hex.number(digits) else {
      return nil
    }
    return Escape(
      meaning: [UInt8(truncatingIfNeeded: value)], length: 3, form: .percent(letters(of: digits)))
  }

  /// The reference at the start: one of XML's five names, or a number with as many zeros before it as it likes
  /// (XML 1.0, 4.1).
  ///
  /// - Parameter isHTML: Whether `X` is taken for `x`, as HTML does and XML does not.
  package static func reference(
    _ source: ArraySlice<UInt8>, isHTML: Bool = false
  ) -> Escape? {
    let rest = source.dropFirst()
    guard source.first == ASCII.ampersand, let first = rest.first else { return nil }
    guard first == UInt8(ascii: "#") else {
      guard let end = rest.prefix(8).firstIndex(of: UInt8(ascii: ";")),
        let known = MarkupEscaping.names.first(where: { rest[..<end].elementsEqual($0.name.utf8) })
      else { return nil }
      let whole = Array(source[...end])
      return Escape(meaning: [known.octet], length: whole.count, form: .verbatim(whole))
    }
    let mark = rest.dropFirst().first
    let isHexadecimal = mark == UInt8(ascii: "x") || (isHTML && mark == UInt8(ascii: "X"))
    let digits = rest.dropFirst(isHexadecimal ? 2 : 1).prefix(while: Hex.isDigit)
    guard digits.endIndex < source.endIndex, source[digits.endIndex] == UInt8(ascii: ";"),
      !digits.isEmpty
    else { return nil }
    let number = digits.drop { $0 == 0x30 }
    guard
      let value = number.isEmpty ? 0 : Hex.number(number, radix: isHexadecimal ? 16 : 10),
      let scalar = Unicode.Scalar(value)
    else { return nil }
    return Escape(
      meaning: utf8(scalar), length: digits.endIndex + 1 - source.startIndex,
      form: isHexadecimal
        ? .hexadecimalReference(digits: digits.count, letters(of: digits))
        : .decimalReference(digits: digits.count))
  }

  /// The escape of JSON at the start (RFC 8259, 7); a pair of surrogates is one.
  package static func json(_ source: ArraySlice<UInt8>) -> Escape? {
    guard source.first == backslash, let escaped = source.dropFirst().first else { return nil }
    if escaped == UInt8(ascii: "u") { return jsonUnicode(source) }
    guard let meaning = jsonMeanings.first(where: { $0.character == escaped })?.octet else {
      return nil
    }
    return Escape(meaning: [meaning], length: 2, form: .verbatim(Array(source.prefix(2))))
  }

  private static func jsonUnicode(_ source: ArraySlice<UInt8>) -> Escape? {
    guard let first = codeUnit(source) else { return nil }
    let form = Form.jsonUnicode(letters(of: source.dropFirst(2).prefix(4)))
    if let scalar = Unicode.Scalar(UInt32(first)) {
      return Escape(meaning: utf8(scalar), length: 6, form: form)
    }
    guard UTF16.isLeadSurrogate(first), let second = codeUnit(source.dropFirst(6)),
      UTF16.isTrailSurrogate(second),
      let scalar = Unicode.Scalar(
        0x10000 + (UInt32(first) & 0x3FF) << 10 + UInt32(second) & 0x3FF)
    else { return nil }
    return Escape(meaning: utf8(scalar), length: 12, form: form)
  }

  /// The code unit of a `\u` escape.
  package static func codeUnit(_ source: ArraySlice<UInt8>) -> UInt16? {
    let digits = source.dropFirst(2).prefix(4)
    guard source.starts(with: "\\u".utf8), digits.count == 4 else { return nil }
    return Hex.number(digits).map { UInt16(truncatingIfNeeded: $0) }
  }

  /// Whether a backslash makes an escape with the character, `\u` included.
  package static func isJSONEscape(_ character: UInt8) -> Bool {
    character == UInt8(ascii: "u") || jsonMeanings.contains { $0.character == character }
  }

  private static let backslash = UInt8(ascii: "\\")

  private static let jsonMeanings: [(character: UInt8, octet: UInt8)] = [
    (UInt8(ascii: "n"), ASCII.lineFeed), (UInt8(ascii: "r"), ASCII.carriageReturn),
    (UInt8(ascii: "t"), ASCII.tab), (UInt8(ascii: "b"), 0x08), (UInt8(ascii: "f"), 0x0C),
    (UInt8(ascii: "\""), UInt8(ascii: "\"")), (backslash, backslash),
    (UInt8(ascii: "/"), UInt8(ascii: "/")),
  ]

  /// The letters that digits have; upper case where there is none.
  private static func letters(of digits: ArraySlice<UInt8>) -> Hex.Letters {
    digits.contains { $0 > 0x60 } ? .lowercase : .uppercase
  }

  private static func utf8(_ scalar: Unicode.Scalar) -> [UInt8] { Array(scalar.utf8) }
}

/// Percent-encoding (RFC 3986, 2.1), with upper-case digits as that section has them.
package enum PercentEncoding {
  /// Whether the octet is one of RFC 3986's unreserved characters (2.3).
  package static func isUnreserved(_ octet: UInt8) -> Bool {
    ASCII.isLetter(octet) || ASCII.isDigit(octet) || octet == UInt8(ascii: "-")
      || octet == UInt8(ascii: ".") || octet == UInt8(ascii: "_") || octet == UInt8(ascii: "~")
  }

  /// The octets, of which those that are not kept become `%XX`.
  package static func encode(
    _ octets: some Sequence<UInt8>, _ letters: Hex.Letters = .uppercase,
    keeping isKept: (UInt8) -> Bool = isUnreserved
  ) -> [UInt8] {
    var encoded: [UInt8] = []
    for octet in octets {
      if isKept(octet) {
        encoded.append(octet)
      } else {
        encoded.append(ASCII.percent)
        Hex.append(octet, letters, to: &encoded)
      }
    }
    return encoded
  }

  /// The text, of which octets that are not kept become `%XX`.
  package static func encode(
    _ text: String, keeping isKept: (UInt8) -> Bool = isUnreserved
  ) -> String {
    String(decoding: encode(text.utf8, keeping: isKept), as: UTF8.self)
  }
}
