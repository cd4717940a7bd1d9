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
    var found = Found()
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
    package var control = false
    package var beyondASCII = false
    /// The place of an escape that is none.
    package var failedAt: Int?
  }

  /// Decodes a part of `text` into what has room for as many bytes and, to be quick, for eight more.
  package static func decode(
    _ text: Span<UInt8>, _ range: Range<Int>, plus: Plus = .isSpace,
    into output: inout OutputSpan<UInt8>
  ) -> Found {
    precondition(range.lowerBound >= 0 && range.upperBound <= text.count)
    let space = plus == .isSpace ? ASCII.space : ASCII.plus
    var found = Found()
    unsafe output.withUnsafeMutableBufferPointer { buffer, count in
      let room = UnsafeMutableRawBufferPointer(buffer)
      var index = range.lowerBound
      while index < range.upperBound {
        // Eight bytes are copied, of which those before the next escape count.
        if text.count &- index >= ByteLanes.count, room.count &- count >= ByteLanes.count {
          let word = ByteLanes.word(text, at: index)
          unsafe room.storeBytes(of: word.littleEndian, toByteOffset: count, as: UInt64.self)
          let special = ByteLanes.equal(ASCII.percent, word) | ByteLanes.equal(ASCII.plus, word)
          if special == 0, range.upperBound &- index >= ByteLanes.count {
            // A step of its own: the next word need not wait for what is counted of this one.
            index &+= ByteLanes.count
            count &+= ByteLanes.count
            continue
          }
          let plain = min(ByteLanes.countBeforeFirst(special), range.upperBound &- index)
          index &+= plain
          count &+= plain
          if index == range.upperBound { return }
        }
        let byte = text[index]
        var decoded = byte == ASCII.plus ? space : byte
        var length = 1
        if byte == ASCII.percent {
          guard range.upperBound &- index >= 3, let high = Hex.value(text[index &+ 1]),
            let low = Hex.value(text[index &+ 2])
          else {
            found.failedAt = index
            return
          }
          decoded = high << 4 | low
          if decoded < 0x20 || decoded == 0x7F { found.control = true }
          if decoded >= 0x80 { found.beyondASCII = true }
          length = 3
        }
        // Decoding makes nothing longer, so there is room.
        guard count < room.count else {
          found.failedAt = index
          return
        }
        unsafe room.storeBytes(of: decoded, toByteOffset: count, as: UInt8.self)
        count &+= 1
        index &+= length
      }
    }
    return found
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
