import Octets

/// Base 64 (RFC 4648, sections 4 and 5), strict: one alphabet, padding exactly where it belongs, and
/// no set bits that the last digit does not carry. Two texts never decode to the same bytes, apart
/// from white space where the caller allows it.
package enum Base64 {
  package enum Alphabet: Sendable {
    /// `+` and `/`, with padding.
    case standard
    /// `-` and `_`, without padding.
    case url
  }

  /// What XML Schema's `base64Binary` allows between digits: space, tab, line feed, carriage return.
  package enum WhiteSpace: Sendable {
    case refused
    case skipped
  }

  /// Decodes `text`.
  ///
  /// - Throws: `input.base64`.
  package static func decode(
    _ text: Span<UInt8>, _ alphabet: Alphabet = .standard, whiteSpace: WhiteSpace = .refused
  ) throws(TokenError) -> [UInt8] {
    var failedAt: Int?
    var bytes: [UInt8] = []
    bytes.append(addingCapacity: room(for: text)) { output in
      unsafe output.withUnsafeMutableBufferPointer { buffer, count in
        unsafe decode(text, alphabet, whiteSpace, into: buffer, &count, failedAt: &failedAt)
      }
    }
    if let failedAt {
      throw TokenError(.malformedBase64, node: "byte \(failedAt)")
    }
    return bytes
  }

  /// Lends what `text` decodes to, which is not to be kept.
  ///
  /// - Throws: `input.base64`, and what `body` throws.
  package static func withDecoded(
    _ text: Span<UInt8>, whiteSpace: WhiteSpace,
    _ body: (Span<UInt8>) throws(TokenError) -> Void
  ) throws(TokenError) {
    try unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room(for: text)) {
      buffer throws(TokenError) in
      var count = 0
      var failedAt: Int?
      unsafe decode(text, .standard, whiteSpace, into: buffer, &count, failedAt: &failedAt)
      if let failedAt {
        throw TokenError(.malformedBase64, node: "byte \(failedAt)")
      }
      try unsafe body(buffer.span.extracting(first: count))
    }
  }

  /// Decodes `text` to the start of `output`. Returns the number of octets; nil where it is no base64, or
  /// longer than there is room.
  package static func decode(_ text: Span<UInt8>, to output: inout MutableSpan<UInt8>) -> Int? {
    guard room(for: text) <= output.count else { return nil }
    var count = 0
    var failedAt: Int?
    unsafe output.withUnsafeMutableBufferPointer { buffer in
      unsafe decode(text, .standard, .refused, into: buffer, &count, failedAt: &failedAt)
    }
    return failedAt == nil ? count : nil
  }

  /// Bytes that decoding may write: a block of them at the end, whatever is in it.
  private static func room(for text: Span<UInt8>) -> Int { text.count / 4 * 3 + 64 }

  private static func decode(
    _ text: Span<UInt8>, _ alphabet: Alphabet, _ whiteSpace: WhiteSpace,
    into buffer: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int, failedAt: inout Int?
  ) {
    let table = alphabet == .standard ? standardValues : urlValues
    let blocks = alphabet == .standard ? standardBlocks : urlBlocks
    var read: Int? = 0
    while let start = read {
      let rest = unsafe blocks.decode(text, from: start, into: buffer, &count)
      var output = unsafe OutputSpan(buffer: buffer, initializedCount: count)
      read = decode(
        text, from: rest, table.span, whiteSpace, alphabet, into: &output, failedAt: &failedAt)
      count = unsafe output.finalize(for: buffer)
    }
  }

  /// Decodes `text`.
  ///
  /// - Throws: `input.base64`.
  package static func decode(
    _ text: some Collection<UInt8>, _ alphabet: Alphabet = .standard,
    whiteSpace: WhiteSpace = .refused
  ) throws(TokenError) -> [UInt8] {
    let copy = Array(text)
    return try decode(copy.span, alphabet, whiteSpace: whiteSpace)
  }

  /// Decodes digit by digit to the end, or up to the next position for blocks, which it returns.
  private static func decode(
    _ text: Span<UInt8>, from start: Int, _ table: Span<UInt8>, _ whiteSpace: WhiteSpace,
    _ alphabet: Alphabet, into output: inout OutputSpan<UInt8>, failedAt: inout Int?
  ) -> Int? {
    var index = start
    var bits: UInt32 = 0
    var digits = 0
    var padding = 0
    let count = text.count
    while index < count {
      // Four digits at a time while there is nothing but digits.
      while digits == 0, padding == 0, index &+ 4 <= count {
        let a = table[Int(text[index])]
        let b = table[Int(text[index &+ 1])]
        let c = table[Int(text[index &+ 2])]
        let d = table[Int(text[index &+ 3])]
        if (a | b | c | d) & 0x80 != 0 { break }
        output.append(a << 2 | b >> 4)
        output.append(b << 4 | c >> 2)
        output.append(c << 6 | d)
        index &+= 4
      }
      if index == count { break }
      let byte = text[index]
      let value = table[Int(byte)]
      if value < 64 {
        guard padding == 0 else {
          failedAt = index
          return nil
        }
        bits = bits << 6 | UInt32(value)
        digits &+= 1
        if digits == 4 {
          output.append(UInt8(truncatingIfNeeded: bits >> 16))
          output.append(UInt8(truncatingIfNeeded: bits >> 8))
          output.append(UInt8(truncatingIfNeeded: bits))
          digits = 0
          bits = 0
        }
      } else if byte == ASCII.equals, alphabet == .standard, padding < 2 {
        padding &+= 1
      } else if whiteSpace == .skipped, ASCII.isWhiteSpace(byte) {
        // Only layout may separate digits; whole blocks may follow it.
        if digits == 0, padding == 0, count &- index > 16 { return index &+ 1 }
      } else {
        failedAt = index
        return nil
      }
      index &+= 1
    }
    let wantedPadding = alphabet == .url || digits == 0 ? 0 : 4 &- digits
    if padding != wantedPadding || !appendLast(digits, bits, to: &output) { failedAt = count }
    return nil
  }

  /// Appends the octets of the last group, which has fewer digits than four. Returns whether it is one.
  @inline(__always)
  private static func appendLast(
    _ digits: Int, _ bits: UInt32, to output: inout OutputSpan<UInt8>
  ) -> Bool {
    switch digits {
    case 0: return true
    case 2:
      guard bits & 0xF == 0 else { return false }
      output.append(UInt8(truncatingIfNeeded: bits >> 4))
      return true
    case 3:
      guard bits & 0x3 == 0 else { return false }
      output.append(UInt8(truncatingIfNeeded: bits >> 10))
      output.append(UInt8(truncatingIfNeeded: bits >> 2))
      return true
    default: return false
    }
  }

  /// Encodes `bytes`.
  package static func encode(
    _ bytes: some Collection<UInt8>, _ alphabet: Alphabet = .standard
  ) -> String {
    encode(Array(bytes), alphabet)
  }

  /// Encodes `bytes`: what other modules call without the cost of a generic collection.
  package static func encode(_ bytes: [UInt8], _ alphabet: Alphabet = .standard) -> String {
    let digits = alphabet == .standard ? standardDigits : urlDigits
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count / 3 * 4 + 4)
    func append(_ bits: UInt32, _ count: Int) {
      for digit in 0..<count { text.append(digits[Int(bits >> UInt32(18 - 6 * digit) & 63)]) }
    }
    var position = 0
    while bytes.count - position >= 3 {
      append(
        UInt32(bytes[position]) << 16 | UInt32(bytes[position + 1]) << 8
          | UInt32(bytes[position + 2]), 4)
      position += 3
    }
    let pending = bytes.count - position
    if pending > 0 {
      let last = pending == 2 ? UInt32(bytes[position + 1]) << 8 : 0
      append(UInt32(bytes[position]) << 16 | last, pending + 1)
      if alphabet == .standard {
        text.append(contentsOf: repeatElement(ASCII.equals, count: 3 - pending))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static let standardDigits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let urlDigits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  private static let standardBlocks = Base64Blocks(digits: InlineArray { standardDigits[$0] })
  private static let urlBlocks = Base64Blocks(digits: InlineArray { urlDigits[$0] })
  private static let standardValues = values(of: standardDigits)
  private static let urlValues = values(of: urlDigits)

  private static func values(of digits: [UInt8]) -> [UInt8] {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }
}
