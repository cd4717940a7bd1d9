import Octets

/// A strict reader of JSON (RFC 8259): UTF-8, no duplicate names, nothing after the value, bounded
/// depth. Without recursion on attacker-chosen depth beyond that bound.
package struct JSONParser: ~Copyable {
  /// The text, followed by the decoded strings that have escapes.
  private var octets: [UInt8]
  private let count: Int
  private let limits: Limits
  private var nodes: [JSONDocument.Node] = []
  private var index = 0

  /// Reads the one value that `bytes` is.
  ///
  /// - Throws: `input.json-syntax`, `input.json-duplicate-name`, `input.json-too-deep`,
  ///   `input.json-too-many-members`, `input.not-utf8`, `input.too-large` for a gibibyte. The node is
  ///   `line L, column C`.
  package static func parse(
    _ bytes: [UInt8], limits: Limits = Limits()
  ) throws(TokenError) -> JSONValue {
    JSONValue(try document(bytes, limits: limits), 0)
  }

  /// As ``parse(_:limits:)``, without a copy of any text.
  package static func document(
    _ bytes: [UInt8], limits: Limits = Limits()
  ) throws(TokenError) -> JSONDocument {
    // Places are numbers of 32 bits.
    guard bytes.count < 1 << 30 else { throw TokenError(.inputTooLarge) }
    var parser = JSONParser(bytes, limits)
    parser.skipWhiteSpace()
    try parser.value(depth: 0, name: 0..<0, nameMark: 0)
    parser.skipWhiteSpace()
    guard parser.index == parser.count else { throw parser.syntaxError("the end") }
    return parser.finish()
  }

  private init(_ bytes: [UInt8], _ limits: Limits) {
    octets = bytes
    count = bytes.count
    self.limits = limits
    nodes.reserveCapacity(min(count / 32 + 4, 24))
  }

  private consuming func finish() -> JSONDocument { JSONDocument(octets: octets, nodes: nodes) }

  /// The line and column of a byte, both from 1.
  package static func place(of offset: Int, in bytes: [UInt8]) -> String {
    let before = bytes.prefix(offset)
    let line = before.count { $0 == ASCII.lineFeed } + 1
    let start = before.lastIndex(of: ASCII.lineFeed).map { $0 + 1 } ?? 0
    return "line \(line), column \(offset - start + 1)"
  }

  private mutating func value(
    depth: Int, name: Range<Int>, nameMark: Int
  ) throws(TokenError) {
    guard depth <= limits.jsonDepth else {
      throw TokenError(.jsonTooDeep, node: place, expected: "at most \(limits.jsonDepth) levels")
    }
    let start = index
    let number = nodes.count
    var node = JSONDocument.Node(at: start, name: name, nameMark: nameMark)
    // What is inside of it comes behind it.
    nodes.append(node)
    switch peek {
    case UInt8(ascii: "{"):
      node.kind = .object
      try object(depth, number)
    case UInt8(ascii: "["):
      node.kind = .array
      try array(depth)
    case UInt8(ascii: "\""):
      node.kind = .string
      node.textRange = try string()
    case UInt8(ascii: "t"):
      node.kind = .boolean
      try literal("true")
    case UInt8(ascii: "f"):
      node.kind = .boolean
      try literal("false")
    case UInt8(ascii: "n"):
      try literal("null")
    default:
      node.kind = .number
      try self.number()
    }
    node.range = start..<index
    node.end = UInt32(truncatingIfNeeded: nodes.count)
    nodes[number] = node
  }

  private mutating func object(_ depth: Int, _ number: Int) throws(TokenError) {
    index += 1
    var names = MemberNames(of: number)
    skipWhiteSpace()
    if take("}") { return }
    while true {
      skipWhiteSpace()
      guard peek == UInt8(ascii: "\"") else { throw syntaxError("a name in quotes") }
      guard names.count < limits.jsonMembers else {
        throw TokenError(
          .tooManyJSONMembers, node: place, expected: "at most \(limits.jsonMembers) members")
      }
      let nameStart = index
      let name = try string()
      let mark = ByteHash.mark(octets.span.extracting(name))
      guard names.add(name, mark, octets, nodes) else {
        throw TokenError(
          .duplicateJSONName, node: Self.place(of: nameStart, in: octets),
          found: TokenError.excerpt(Bytes.string(octets, name)))
      }
      skipWhiteSpace()
      guard take(":") else { throw syntaxError("a colon") }
      skipWhiteSpace()
      try value(depth: depth + 1, name: name, nameMark: mark)
      skipWhiteSpace()
      if take("}") { return }
      guard take(",") else { throw syntaxError("a comma or }") }
    }
  }

  private mutating func array(_ depth: Int) throws(TokenError) {
    index += 1
    skipWhiteSpace()
    if take("]") { return }
    while true {
      skipWhiteSpace()
      try value(depth: depth + 1, name: 0..<0, nameMark: 0)
      skipWhiteSpace()
      if take("]") { return }
      guard take(",") else { throw syntaxError("a comma or ]") }
    }
  }

  private mutating func literal(_ text: StaticString) throws(TokenError) {
    guard octets.span.extracting(index..<count).hasPrefix(text) else {
      throw syntaxError("a value")
    }
    index += text.utf8CodeUnitCount
  }

  /// RFC 8259, section 6: no leading zero, no plus sign, digits around the point.
  private mutating func number() throws(TokenError) {
    _ = take("-")
    if !take("0") {
      guard digits() else { throw syntaxError("a value") }
    }
    if take("."), !digits() { throw syntaxError("a digit") }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      guard digits() else { throw syntaxError("a digit") }
    }
  }

  private mutating func digits() -> Bool {
    let start = index
    while let byte = peek, ASCII.isDigit(byte) { index += 1 }
    return index > start
  }

  // MARK: Strings

  /// The range of the string, decoded.
  private mutating func string() throws(TokenError) -> Range<Int> {
    index += 1
    let start = index
    let plain = plainText
    index = plain.end
    // Mostly nothing is escaped, and the text needs no decoding.
    if peek == UInt8(ascii: "\"") {
      index += 1
      if !plain.isASCII { try checkUTF8(start..<index - 1) }
      return start..<index - 1
    }
    let decoded = octets.count
    copy(start..<index)
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        try checkUTF8(decoded..<octets.count)
        return decoded..<octets.count
      case UInt8(ascii: "\\"):
        index += 1
        try escape()
      case 0..<0x20:
        throw syntaxError("no control character in a string")
      default:
        let start = index
        index = plainText.end
        copy(start..<index)
      }
    }
    throw syntaxError("a closing quote")
  }

  /// The place of the next quote, escape or control character, or the end, and whether all up to there is
  /// ASCII.
  private var plainText: (end: Int, isASCII: Bool) {
    let text = octets.span.extracting(..<count)
    var place = index
    var all: UInt64 = 0
    while count &- place >= SWAR.count {
      let word = SWAR.word(text, at: place)
      let special =
        SWAR.equal(UInt8(ascii: "\""), word) | SWAR.equal(UInt8(ascii: "\\"), word)
        | SWAR.below(0x20, word)
      // Of the last eight bytes those behind the place count too; they can only have text checked in vain.
      all |= word
      guard special == 0 else {
        return (place &+ SWAR.countBeforeFirst(special), all & SWAR.highBits == 0)
      }
      place &+= SWAR.count
    }
    while place < count, text[place] >= 0x20, text[place] != UInt8(ascii: "\""),
      text[place] != UInt8(ascii: "\\")
    {
      all |= UInt64(text[place])
      place &+= 1
    }
    return (place, all & SWAR.highBits == 0)
  }

  /// Adds a part of the text to what is decoded.
  private mutating func copy(_ range: Range<Int>) {
    for place in range { octets.append(octets[place]) }
  }

  private func checkUTF8(_ range: Range<Int>) throws(TokenError) {
    guard octets.span.extracting(range).firstNotUTF8 == nil else {
      throw TokenError(.notUTF8, node: place)
    }
  }

  private mutating func escape() throws(TokenError) {
    guard let byte = peek else { throw syntaxError("an escape") }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): octets.append(byte)
    case UInt8(ascii: "b"): octets.append(0x08)
    case UInt8(ascii: "f"): octets.append(0x0C)
    case UInt8(ascii: "n"): octets.append(0x0A)
    case UInt8(ascii: "r"): octets.append(0x0D)
    case UInt8(ascii: "t"): octets.append(0x09)
    case UInt8(ascii: "u"): try unicodeEscape()
    default: throw syntaxError("an escape of RFC 8259")
    }
  }

  /// `\uXXXX`, or two of them for a character beyond U+FFFF. A lone surrogate is refused.
  private mutating func unicodeEscape() throws(TokenError) {
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
    octets.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
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

  private var peek: UInt8? { index < count ? octets[index] : nil }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let byte = peek, UInt32(byte) == character.value else { return false }
    index += 1
    return true
  }

  private mutating func skipWhiteSpace() {
    while let byte = peek, ASCII.isWhiteSpace(byte) { index += 1 }
  }

  private var place: String { Self.place(of: index, in: octets) }

  private func syntaxError(_ expected: String) -> TokenError {
    TokenError(.malformedJSON, node: place, expected: expected)
  }
}

/// The names of an object so far. A few are scanned, which is cheaper than hashing.
struct MemberNames {
  private static let few = 32

  /// The number of the object.
  private let object: Int
  private(set) var count = 0
  private var marks = SmallBloomFilter()
  /// All of them, from the first name on that is one too many to look through.
  private var many: Set<[UInt8]> = []

  init(of object: Int) { self.object = object }

  /// Adds a name. Returns whether it is new. Names are equal where every byte is.
  ///
  /// - Parameters:
  ///   - mark: See ``JSONDocument/Node/nameMark``.
  ///   - nodes: What was read, members of the object at its end.
  mutating func add(
    _ name: Range<Int>, _ mark: Int, _ octets: [UInt8], _ nodes: [JSONDocument.Node]
  ) -> Bool {
    count += 1
    // The object is still open, so what is inside of it ends where all ends.
    let members = JSONDocument.Children(nodes, of: object, before: nodes.count)
    if count > Self.few {
      if many.isEmpty { many = Set(members.map { Array(octets[$0.node.nameRange]) }) }
      return many.insert(Array(octets[name])).inserted
    }
    return marks.insert(mark)
      || !members.contains {
        $0.node.nameMark == mark && Bytes.areEqual(octets, $0.node.nameRange, octets, name)
      }
  }
}
