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
    var found = Found(control: false, beyondASCII: false)
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: text.count + ByteLanes.count) {
      buffer, count in
      var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
      found = decode(text, 0..<text.count, plus: plus, into: &output)
      count = unsafe output.finalize(for: buffer)
    }
    if let failedAt = found.failedAt {
      throw TokenError(.malformedPercentEscape, node: "byte \(failedAt)")
    }
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
  package static func withDecoded<Result>(
    _ text: Span<UInt8>, plus: Plus, _ body: (Span<UInt8>) throws(TokenError) -> Result
  ) throws(TokenError) -> Result {
    let room = text.count + ByteLanes.count
    return try unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) {
      buffer throws(TokenError) in
      var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
      let found = decode(text, 0..<text.count, plus: plus, into: &output)
      if let failedAt = found.failedAt {
        throw TokenError(.malformedPercentEscape, node: "byte \(failedAt)")
      }
      return try body(output.span)
    }
  }

  /// What escapes stood for, besides printable ASCII.
  package struct Found: Sendable {
    package let control: Bool
    package let beyondASCII: Bool
    /// The place of an escape that is none.
    package var failedAt: Int?
  }

  /// Decodes a part of `text` into what has room for as many bytes and, to be quick, for eight more.
  package static func decode(
    _ text: Span<UInt8>, _ range: Range<Int>, plus: Plus = .isSpace,
    into output: inout OutputSpan<UInt8>
  ) -> Found {
    let range = range.clamped(to: 0..<text.count)
    let space = plus == .isSpace ? ASCII.space : ASCII.plus
    let end = range.upperBound
    // Octets that escapes stood for, put together; and whether one was a control character.
    var seen: UInt8 = 0
    var hasControl = false
    var failedAt: Int?
    unsafe output.withUnsafeMutableBufferPointer { buffer, count in
      let room = UnsafeMutableRawBufferPointer(buffer)
      var index = range.lowerBound
      while index < end {
        var byte = text[index]
        // Eight bytes are copied, of which those before the next escape count.
        if text.count &- index >= ByteLanes.count, room.count &- count >= ByteLanes.count {
          let word = ByteLanes.word(text, at: index)
          unsafe room.storeBytes(of: word.littleEndian, toByteOffset: count, as: UInt64.self)
          let special = ByteLanes.equal(ASCII.percent, word) | ByteLanes.equal(ASCII.plus, word)
          if special == 0, end &- index >= ByteLanes.count {
            // A step of its own: the next word need not wait for what is counted of this one.
            index &+= ByteLanes.count
            count &+= ByteLanes.count
            continue
          }
          let plain = min(ByteLanes.countBeforeFirst(special), end &- index)
          index &+= plain
          count &+= plain
          if index == end { return }
          byte = UInt8(truncatingIfNeeded: word &>> UInt64(truncatingIfNeeded: 8 &* plain))
        }
        // Decoding makes nothing longer, so there is room.
        guard count < room.count else {
          failedAt = index
          return
        }
        if byte == ASCII.percent {
          guard end &- index >= 3, let octet = Hex.octet(text[index &+ 1], text[index &+ 2]) else {
            failedAt = index
            return
          }
          byte = octet
          seen |= octet
          if octet < 0x20 || octet == 0x7F { hasControl = true }
          index &+= 3
        } else {
          if byte == ASCII.plus { byte = space }
          index &+= 1
        }
        unsafe room.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count &+= 1
      }
    }
    return Found(control: hasControl, beyondASCII: seen >= 0x80, failedAt: failedAt)
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
