import Octets
package import TokenErrors

/// A strict reader of JSON (RFC 8259): UTF-8, no duplicate names, nothing after the value, bounded
/// depth. Without recursion on attacker-chosen depth beyond that bound.
package struct JSONParser {
  private let bytes: [UInt8]
  private let limits: Limits
  private var index = 0

  /// Reads the one value that `bytes` is.
  ///
  /// - Throws: `input.json-syntax`, `input.json-duplicate-name`, `input.json-too-deep`,
  ///   `input.json-too-many-members`, `input.not-utf8`. The node is `line L, column C`.
  package static func parse(
    _ bytes: [UInt8], limits: Limits = Limits()
  ) throws(TokenError) -> JSONValue {
    var parser = JSONParser(bytes, limits)
    parser.skipWhiteSpace()
    let value = try parser.value(depth: 0)
    parser.skipWhiteSpace()
    guard parser.index == bytes.count else { throw parser.syntaxError("the end") }
    return value
  }

  private init(_ bytes: [UInt8], _ limits: Limits) {
    self.bytes = bytes
    self.limits = limits
  }

  /// The line and column of a byte, both from 1.
  package static func place(of offset: Int, in bytes: [UInt8]) -> String {
    let before = bytes.prefix(offset)
    let line = before.count { $0 == ASCII.lineFeed } + 1
    let start = before.lastIndex(of: ASCII.lineFeed).map { $0 + 1 } ?? 0
    return "line \(line), column \(offset - start + 1)"
  }

  private mutating func value(depth: Int) throws(TokenError) -> JSONValue {
    guard depth <= limits.jsonDepth else {
      throw TokenError(.jsonTooDeep, node: place, expected: "at most \(limits.jsonDepth) levels")
    }
    let start = index
    let kind: JSONValue.Kind
    switch peek {
    case UInt8(ascii: "{"): kind = try object(depth)
    case UInt8(ascii: "["): kind = try array(depth)
    case UInt8(ascii: "\""): kind = .string(try string())
    case UInt8(ascii: "t"): kind = try literal("true", .bool(true))
    case UInt8(ascii: "f"): kind = try literal("false", .bool(false))
    case UInt8(ascii: "n"): kind = try literal("null", .null)
    default: kind = .number(try number())
    }
    return JSONValue(kind: kind, range: start..<index)
  }

  private mutating func object(_ depth: Int) throws(TokenError) -> JSONValue.Kind {
    index += 1
    var members: [(name: String, value: JSONValue)] = []
    var names = MemberNames()
    skipWhiteSpace()
    if take("}") { return .object([]) }
    while true {
      skipWhiteSpace()
      guard peek == UInt8(ascii: "\"") else { throw syntaxError("a name in quotes") }
      guard members.count < limits.jsonMembers else {
        throw TokenError(
          .tooManyJSONMembers, node: place, expected: "at most \(limits.jsonMembers) members")
      }
      let nameStart = index
      let name = try string()
      guard names.add(name) else {
        throw TokenError(
          .duplicateJSONName, node: Self.place(of: nameStart, in: bytes),
          found: TokenError.excerpt(name))
      }
      skipWhiteSpace()
      guard take(":") else { throw syntaxError("a colon") }
      skipWhiteSpace()
      members.append((name, try value(depth: depth + 1)))
      skipWhiteSpace()
      if take("}") { return .object(members) }
      guard take(",") else { throw syntaxError("a comma or }") }
    }
  }

  private mutating func array(_ depth: Int) throws(TokenError) -> JSONValue.Kind {
    index += 1
    var elements: [JSONValue] = []
    skipWhiteSpace()
    if take("]") { return .array([]) }
    while true {
      skipWhiteSpace()
      elements.append(try value(depth: depth + 1))
      skipWhiteSpace()
      if take("]") { return .array(elements) }
      guard take(",") else { throw syntaxError("a comma or ]") }
    }
  }

  private mutating func literal(
    _ text: StaticString, _ kind: JSONValue.Kind
  ) throws(TokenError) -> JSONValue.Kind {
    guard bytes[index...].starts(with: text.description.utf8) else {
      throw syntaxError("a value")
    }
    index += text.utf8CodeUnitCount
    return kind
  }

  /// RFC 8259, section 6: no leading zero, no plus sign, digits around the point.
  private mutating func number() throws(TokenError) -> String {
    let start = index
    _ = take("-")
    if !take("0") {
      guard digits() else { throw syntaxError("a value") }
    }
    if take("."), !digits() { throw syntaxError("a digit") }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      guard digits() else { throw syntaxError("a digit") }
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func digits() -> Bool {
    let start = index
    while let byte = peek, ASCII.isDigit(byte) { index += 1 }
    return index > start
  }

  // MARK: Strings

  private mutating func string() throws(TokenError) -> String {
    index += 1
    let start = index
    index = plainTextEnd
    // As a rule nothing is escaped, and the text is what stands there.
    if peek == UInt8(ascii: "\"") {
      index += 1
      return try text(bytes.span.extracting(start..<index - 1))
    }
    var unescaped = Array(bytes[start..<index])
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        return try text(unescaped.span)
      case UInt8(ascii: "\\"):
        index += 1
        try escape(into: &unescaped)
      case 0..<0x20:
        throw syntaxError("no control character in a string")
      default:
        let start = index
        index = plainTextEnd
        unescaped += bytes[start..<index]
      }
    }
    throw syntaxError("a closing quote")
  }

  /// The place of the next quote, escape or control character, or the end.
  private var plainTextEnd: Int {
    let text = bytes.span
    var index = index
    while text.count &- index >= ByteLanes.count {
      let word = ByteLanes.word(text, at: index)
      let special =
        ByteLanes.equal(UInt8(ascii: "\""), word) | ByteLanes.equal(UInt8(ascii: "\\"), word)
        | ByteLanes.below(0x20, word)
      guard special == 0 else { return index &+ ByteLanes.countBeforeFirst(special) }
      index &+= ByteLanes.count
    }
    while index < text.count, text[index] >= 0x20, text[index] != UInt8(ascii: "\""),
      text[index] != UInt8(ascii: "\\")
    {
      index &+= 1
    }
    return index
  }

  private func text(_ bytes: Span<UInt8>) throws(TokenError) -> String {
    do {
      return String(copying: try UTF8Span(validating: bytes))
    } catch {
      throw TokenError(.notUTF8, node: place)
    }
  }

  private mutating func escape(into text: inout [UInt8]) throws(TokenError) {
    guard let byte = peek else { throw syntaxError("an escape") }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): try unicodeEscape(into: &text)
    default: throw syntaxError("an escape of RFC 8259")
    }
  }

  /// `\uXXXX`, or two of them for a character beyond U+FFFF. A lone surrogate is refused.
  private mutating func unicodeEscape(into text: inout [UInt8]) throws(TokenError) {
    var code = UInt32(try codeUnit())
    if 0xD800..<0xDC00 ~= code {
      guard take("\\"), take("u") else { throw syntaxError("the second half of a surrogate pair") }
      let low = UInt32(try codeUnit())
      guard 0xDC00..<0xE000 ~= low else {
        throw syntaxError("the second half of a surrogate pair")
      }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw syntaxError("no lone surrogate") }
    text.append(contentsOf: Array(Character(scalar).utf8))
  }

  private mutating func codeUnit() throws(TokenError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = peek, let digit = Hex.value(byte) else {
        throw syntaxError("four hexadecimal digits")
      }
      unit = unit << 4 | UInt16(digit)
      index += 1
    }
    return unit
  }

  // MARK: Bytes

  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let byte = peek, UInt32(byte) == character.value else { return false }
    index += 1
    return true
  }

  private mutating func skipWhiteSpace() {
    while let byte = peek, ASCII.isWhiteSpace(byte) { index += 1 }
  }

  private var place: String { Self.place(of: index, in: bytes) }

  private func syntaxError(_ expected: String) -> TokenError {
    TokenError(.malformedJSON, node: place, expected: expected)
  }
}
