import Octets

/// Writes compact JSON into one buffer, members in the order in which they are written.
package struct JSONWriter: ~Copyable {
  private var output: OctetWriter
  private var needsComma = false

  package init(capacity: Int = 4096) { output = OctetWriter(capacity: capacity) }

  /// A text as JSON writes it, in quotation marks.
  package static func literal(_ text: String) -> String {
    var json = JSONWriter(capacity: text.utf8.count + 16)
    json.string(text)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  package mutating func object(_ body: (inout JSONWriter) -> Void) {
    separate()
    output.append(UInt8(ascii: "{"))
    needsComma = false
    body(&self)
    output.append(UInt8(ascii: "}"))
    needsComma = true
  }

  package mutating func array(_ body: (inout JSONWriter) -> Void) {
    separate()
    output.append(UInt8(ascii: "["))
    needsComma = false
    body(&self)
    output.append(UInt8(ascii: "]"))
    needsComma = true
  }

  /// A name that is known to need no escapes.
  package mutating func name(_ name: StaticString) {
    separate()
    output.append(UInt8(ascii: "\""))
    output.append(literal: name)
    output.append(UInt8(ascii: "\""))
    output.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Any name. The label keeps literals on the overload above, which takes half the time.
  package mutating func name(text: String) {
    separate()
    quoted(text)
    output.append(UInt8(ascii: ":"))
    needsComma = false
  }

  package mutating func string(_ text: String) {
    separate()
    quoted(text)
    needsComma = true
  }

  /// A name that is a run of UTF-8.
  package mutating func name(_ octets: [UInt8], _ range: Range<Int>) {
    separate()
    quoted(octets.span.extracting(range))
    output.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// A string that is a run of UTF-8.
  package mutating func string(_ octets: [UInt8], _ range: Range<Int>) {
    separate()
    quoted(octets.span.extracting(range))
    needsComma = true
  }

  /// A string of at most `count` bytes, of which none is to be escaped.
  package mutating func plainString(
    upTo count: Int, _ body: (inout OutputSpan<UInt8>) -> Void
  ) {
    separate()
    output.append(UInt8(ascii: "\""))
    output.append(upTo: count, body)
    output.append(UInt8(ascii: "\""))
    needsComma = true
  }

  package mutating func bool(_ value: Bool) {
    separate()
    output.append(literal: value ? "true" : "false")
    needsComma = true
  }

  package mutating func integer(_ value: Int) {
    separate()
    output.append(String(value))
    needsComma = true
  }

  /// A number with three digits behind the point.
  package mutating func number(_ value: Double) {
    separate()
    let thousandths = Int((min(max(value, 0), 1e12) * 1000).rounded())
    let rest = String(thousandths % 1000)
    output.append(
      "\(thousandths / 1000)." + String(repeating: "0", count: 3 - rest.utf8.count) + rest)
    needsComma = true
  }

  package mutating func null() {
    separate()
    output.append(literal: "null")
    needsComma = true
  }

  /// A value that is JSON already.
  package mutating func raw(_ json: [UInt8]) {
    separate()
    output.append(json.span)
    needsComma = true
  }

  /// Ends a record with a line feed.
  package mutating func endLine() {
    output.append(ASCII.lineFeed)
    needsComma = false
  }

  /// What was written so far.
  package var bytes: [UInt8] { output.bytes }

  /// Lends what was written so far.
  package borrowing func withBytes<Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    try output.withBytes(body)
  }

  /// Forgets what was written, keeps the memory.
  package mutating func removeAll() {
    output.removeAll()
    needsComma = false
  }

  private mutating func separate() {
    if needsComma { output.append(UInt8(ascii: ",")) }
  }

  private mutating func quoted(_ text: String) {
    let bytes = text.utf8.span
    quoted(bytes)
  }

  /// Escapes what RFC 8259 demands, and what a terminal would obey instead of showing it or a reader
  /// would take for a line end. Harmless ASCII is copied while it is scanned.
  private mutating func quoted(_ bytes: Span<UInt8>) {
    output.append(UInt8(ascii: "\""))
    if !output.append(bytes, unless: Self.special) { escaped(bytes) }
    output.append(UInt8(ascii: "\""))
  }

  private mutating func escaped(_ bytes: Span<UInt8>) {
    var start = 0
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      let length: Int
      if byte >= 0x80 {
        guard let (value, count) = Self.commanding(bytes, at: index) else {
          index &+= 1
          continue
        }
        output.append(bytes.extracting(start..<index))
        output.append(literal: "\\u")
        output.append(Hex.encode([UInt8(value >> 8), UInt8(value & 0xFF)]))
        length = count
      } else {
        guard byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F else {
          index &+= 1
          continue
        }
        output.append(bytes.extracting(start..<index))
        escape(byte)
        length = 1
      }
      index &+= length
      start = index
    }
    output.append(bytes.extracting(start..<bytes.count))
  }

  /// A control character behind ASCII (U+0080 to U+009F), one that turns the direction of text (U+061C,
  /// U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), or a line end (U+2028, U+2029), with the
  /// length of its UTF-8.
  private static func commanding(
    _ bytes: Span<UInt8>, at index: Int
  ) -> (value: UInt16, length: Int)? {
    guard index &+ 1 < bytes.count else { return nil }
    switch (bytes[index], bytes[index &+ 1]) {
    case (0xC2, 0x80...0x9F): return (UInt16(bytes[index &+ 1]), 2)
    case (0xD8, 0x9C): return (0x061C, 2)
    case (0xE2, 0x80...0x81):
      guard index &+ 2 < bytes.count else { return nil }
      let value =
        0x2000 | UInt16(bytes[index &+ 1] & 0x3F) << 6 | UInt16(bytes[index &+ 2] & 0x3F)
      switch value {
      case 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: return (value, 3)
      default: return nil
      }
    default: return nil
    }
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case 0x22: output.append(literal: "\\\"")
    case 0x5C: output.append(literal: "\\\\")
    case ASCII.lineFeed: output.append(literal: "\\n")
    case ASCII.carriageReturn: output.append(literal: "\\r")
    case ASCII.tab: output.append(literal: "\\t")
    default:
      output.append(literal: "\\u00")
      output.append(Hex.encode(CollectionOfOne(byte)))
    }
  }

  /// Which of sixteen bytes are special, or begin what may be.
  @inline(__always)
  private static func special(_ lanes: SIMD16<UInt8>) -> SIMD16<UInt8> {
    // Those with the highest bit; of the others, one less than 0 has it, and one more than 0x7F.
    let one = SIMD16<UInt8>(repeating: 1)
    let controls = (lanes &- SIMD16(repeating: 0x20)) | (lanes &+ one)
    let quotes = (lanes ^ SIMD16(repeating: 0x22)) &- one
    let backslashes = (lanes ^ SIMD16(repeating: 0x5C)) &- one
    return controls | quotes | backslashes | lanes
  }
}

extension JSONWriter {
  /// A member that is a string; none for nil.
  package mutating func member(_ name: StaticString, _ text: String?) {
    guard let text else { return }
    self.name(name)
    string(text)
  }

  /// The same for any name.
  package mutating func member(named name: String, _ text: String?) {
    guard let text else { return }
    self.name(text: name)
    string(text)
  }
}
