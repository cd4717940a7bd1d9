package import TokenErrors

/// The `application/x-www-form-urlencoded` escapes: `+` is a space, `%XX` a byte.
package enum FormEncoding {
  /// Whether `+` stands for a space.
  package enum Plus: Sendable {
    case isSpace
    case isPlus
  }

  /// Decodes `text` once. `+` is looked at before percent escapes are, so `%2b` stays a plus sign.
  ///
  /// - Throws: `input.percent-escape`.
  package static func decode(
    _ text: Span<UInt8>, plus: Plus = .isSpace
  ) throws(TokenError) -> [UInt8] {
    var bytes: [UInt8] = []
    var found: Found?
    bytes.append(addingCapacity: text.count + ByteLanes.count) { output in
      found = decode(text, 0..<text.count, plus: plus, into: &output)
    }
    if let found, found.isMalformed { throw malformed(found) }
    return bytes
  }

  /// As ``decode(_:plus:)-(Span<UInt8>,_)``; places count from the start of the slice.
  ///
  /// - Throws: `input.percent-escape`.
  package static func decode(
    _ text: ArraySlice<UInt8>, plus: Plus = .isSpace
  ) throws(TokenError) -> [UInt8] {
    try decode(text.span, plus: plus)
  }

  /// Lends what `text` decodes to, which is not to be kept.
  ///
  /// - Throws: `input.percent-escape`, and what `body` throws.
  package static func withDecoded(
    _ text: Span<UInt8>, plus: Plus, _ body: (Span<UInt8>) throws(TokenError) -> Void
  ) throws(TokenError) {
    let room = text.count + ByteLanes.count
    try unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) {
      buffer throws(TokenError) in
      var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
      let found = decode(text, 0..<text.count, plus: plus, into: &output)
      if found.isMalformed { throw malformed(found) }
      try body(output.span)
    }
  }

  /// What decoding came across.
  package struct Found: Sendable {
    /// Where it ended: behind the part, at the byte to stop at, or at an escape that is none.
    package let end: Int
    /// Whether it ended at an escape that is none.
    package let isMalformed: Bool
    /// Whether an escape stood for a control character, or for a byte beyond ASCII.
    package let control: Bool
    package let beyondASCII: Bool
  }

  /// Decodes a part of `text` into what has room for as many bytes and, to be quick, for eight more.
  ///
  /// - Parameter stop: A byte that ends the part where it stands by itself.
  package static func decode(
    _ text: Span<UInt8>, _ range: Range<Int>, plus: Plus = .isSpace, until stop: UInt8? = nil,
    into output: inout OutputSpan<UInt8>
  ) -> Found {
    let range = range.clamped(to: 0..<text.count)
    return unsafe output.withUnsafeMutableBufferPointer { buffer, count in
      // Decoding makes nothing longer, so this is the one question for room.
      let room = buffer.count - count - range.count
      guard room >= 0, let start = buffer.baseAddress else {
        return Found(end: range.lowerBound, isMalformed: true, control: false, beyondASCII: false)
      }
      var next = unsafe UnsafeMutableRawPointer(start + count)
      let found = unsafe decode(
        text, range, lastWord: room < ByteLanes.count ? -1 : text.count - ByteLanes.count,
        plus == .isSpace ? ASCII.space : ASCII.plus, stop ?? ASCII.percent, Hex.values,
        into: &next)
      count = unsafe UnsafeRawPointer(next) - UnsafeRawPointer(start)
      return found
    }
  }

  /// - Parameters:
  ///   - lastWord: Up to which place eight bytes can be read, and written.
  ///   - stop: `%` where there is no byte to stop at.
  ///   - values: Of hexadecimal digits.
  private static func decode(
    _ text: Span<UInt8>, _ range: Range<Int>, lastWord: Int, _ space: UInt8, _ stop: UInt8,
    _ values: [UInt8], into output: inout UnsafeMutableRawPointer
  ) -> Found {
    let digits = values.span
    let end = range.upperBound
    // What changes at every turn is a local, which a register holds.
    var next = unsafe output
    var index = range.lowerBound
    var isMalformed = false
    // Octets that escapes stood for, put together; and whether one was a control character.
    var seen: UInt8 = 0
    var hasControl = false
    while index < end {
      // Eight bytes are copied, of which those before the next special one count.
      if index <= lastWord {
        let word = ByteLanes.word(text, at: index)
        unsafe next.storeBytes(of: word.littleEndian, as: UInt64.self)
        let special =
          ByteLanes.equal(ASCII.percent, word) | ByteLanes.equal(ASCII.plus, word)
          | ByteLanes.equal(stop, word)
        if special == 0, end &- index >= ByteLanes.count {
          // A step of its own: the next word need not wait for what is counted of this one.
          index &+= ByteLanes.count
          unsafe next += ByteLanes.count
          continue
        }
        let plain = min(ByteLanes.countBeforeFirst(special), end &- index)
        index &+= plain
        unsafe next += plain
        if index == end { break }
      }
      var byte = text[index]
      if byte == ASCII.percent {
        isMalformed = end &- index < 3
        if isMalformed { break }
        // No digit's value is above 15.
        let high = digits[Int(text[index &+ 1])]
        let low = digits[Int(text[index &+ 2])]
        isMalformed = high | low > 15
        if isMalformed { break }
        byte = high << 4 | low
        seen |= byte
        if byte < 0x20 || byte == 0x7F { hasControl = true }
        index &+= 2
      } else if byte == stop {
        break
      } else if byte == ASCII.plus {
        byte = space
      }
      index &+= 1
      unsafe next.storeBytes(of: byte, as: UInt8.self)
      unsafe next += 1
    }
    unsafe output = next
    return Found(
      end: index, isMalformed: isMalformed, control: hasControl, beyondASCII: seen >= 0x80)
  }

  private static func malformed(_ found: Found) -> TokenError {
    TokenError(.malformedPercentEscape, node: "byte \(found.end)")
  }

  /// Encodes UTF-8 as .NET's `HttpUtility.UrlEncode` does, which is what ACS signs: `A`–`Z`, `a`–`z`,
  /// `0`–`9` and `-_.!*()` stay, a space becomes `+`, any other byte `%` and two lower-case digits.
  package static func encode(_ text: String) -> String {
    var encoded: [UInt8] = []
    for byte in text.utf8 {
      if ASCII.isLetter(byte) || ASCII.isDigit(byte) || marks.contains(byte) {
        encoded.append(byte)
      } else if byte == ASCII.space {
        encoded.append(ASCII.plus)
      } else {
        encoded.append(ASCII.percent)
        encoded += Hex.encode(CollectionOfOne(byte)).utf8
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  private static let marks = Array("-_.!*()".utf8)
}
