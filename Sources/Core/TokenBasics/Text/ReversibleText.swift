import Octets

/// A text behind escapes: other octets of the same number are written again in the form that each of its own had.
package struct ReversibleText: Sendable {
  /// What the text stands for.
  package private(set) var decoded: [UInt8] = []
  private var units: [(form: Escape.Form, count: Int)] = []

  private mutating func append(_ octets: some Collection<UInt8>, _ form: Escape.Form) {
    decoded += octets
    units.append((form, octets.count))
  }

  /// No text yet.
  package init() {}

  /// Appends text of XML with references.
  package mutating func append(xml source: ArraySlice<UInt8>) {
    read(source, from: ASCII.ampersand, { Escape.reference($0) }, malformed: Self.appendMark)
  }

  /// Appends octets that stand for themselves.
  package mutating func append(literal source: some Collection<UInt8>) { append(source, .literal) }

  /// Appends octets that stand for nothing and stay as they are.
  package mutating func append(aside source: some Collection<UInt8>) {
    append([], .verbatim(Array(source)))
  }

  /// Text of XML with references. What is none, such as one with a sign in it, is text.
  package init(xml source: ArraySlice<UInt8>) { append(xml: source) }

  /// Text with percent escapes; `+` is a character.
  package init(percent source: ArraySlice<UInt8>) {
    read(source, from: ASCII.percent, Escape.percent, malformed: Self.appendMark)
  }

  /// The text between the quotes of a JSON string.
  package init(json source: ArraySlice<UInt8>) {
    read(source, from: UInt8(ascii: "\\"), Escape.json, malformed: Self.appendMalformedJSON)
  }

  /// Appends the literal octets and the escapes of `source`.
  ///
  /// - Parameters:
  ///   - mark: The octet with which every escape begins.
  ///   - escape: Reads the escape at the start of what it is given.
  ///   - malformed: Appends what begins with the mark and is no escape, and returns how many octets it is.
  private mutating func read(
    _ source: ArraySlice<UInt8>, from mark: UInt8,
    _ escape: (ArraySlice<UInt8>) -> Escape?,
    malformed: (inout Self, ArraySlice<UInt8>) -> Int
  ) {
    var rest = source
    while let first = rest.first {
      if first != mark {
        let literal = rest.prefix { $0 != mark }
        append(literal, .literal)
        rest = rest.dropFirst(literal.count)
      } else if let escape = escape(rest) {
        append(escape.meaning, escape.form)
        rest = rest.dropFirst(escape.length)
      } else {
        rest = rest.dropFirst(malformed(&self, rest))
      }
    }
  }

  private static func appendMark(to text: inout Self, _ source: ArraySlice<UInt8>) -> Int {
    text.append(source.prefix(1), .literal)
    return 1
  }

  private static func appendMalformedJSON(
    to text: inout Self, _ source: ArraySlice<UInt8>
  ) -> Int {
    guard let escaped = source.dropFirst().first, escaped < 0x80 else {
      return appendMark(to: &text, source)
    }
    guard escaped == UInt8(ascii: "u") else {
      text.append([escaped], .backslash)
      return 2
    }
    guard let unit = Escape.codeUnit(source) else {
      text.append([], .verbatim(Array(source.prefix(2))))
      return 2
    }
    // Half of a pair stands for nothing, and becomes another half.
    let isLower = source.prefix(6).dropFirst(2).contains { $0 > 0x60 }
    let other = Hex.encode(
      [UTF16.isLeadSurrogate(unit) ? 0xD8 : 0xDC, 0], isLower ? .lowercase : .uppercase)
    text.append([], .verbatim(Array("\\u\(other)".utf8)))
    return 6
  }

  /// Other octets of the same number, in the same forms; empty for another number.
  package func encoding(_ octets: [UInt8]) -> [UInt8] {
    guard octets.count == decoded.count else { return [] }
    var result: [UInt8] = []
    result.reserveCapacity(octets.count)
    var place = 0
    for (form, count) in units {
      let part = octets[place..<(place + count)]
      place += count
      if case .literal = form { result += part } else { result += form.encoding(part) }
    }
    return result
  }
}

extension Escape.Form {
  /// A character in this form.
  func encoding(_ character: ArraySlice<UInt8>) -> [UInt8] {
    let text = String(decoding: character, as: UTF8.self)
    let scalar = text.unicodeScalars.first?.value ?? 0
    switch self {
    case .literal: return Array(character)
    case .verbatim(let source): return source
    case .percent(let letters):
      return PercentEncoding.encode(character, letters) { _ in false }
    case .decimalReference(let digits):
      return Array("&#\(Self.padded(String(scalar), digits));".utf8)
    case .hexadecimalReference(let digits, let letters):
      return Array("&#x\(Self.padded(Self.digits(scalar, letters), digits));".utf8)
    case .jsonUnicode(let letters):
      return text.utf16.flatMap { "\\u\(Self.padded(Self.digits(UInt32($0), letters), 4))".utf8 }
    case .backslash:
      let made = character.first ?? 0
      return [UInt8(ascii: "\\"), Escape.isJSONEscape(made) ? UInt8(ascii: "q") : made]
    }
  }

  private static func digits(_ value: UInt32, _ letters: Hex.Letters) -> String {
    String(value, radix: 16, uppercase: letters == .uppercase)
  }

  private static func padded(_ text: String, _ digits: Int) -> String {
    String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}
