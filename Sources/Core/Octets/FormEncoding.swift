package import TokenErrors

/// The `application/x-www-form-urlencoded` escapes: `+` is a space, `%XX` a byte.
package enum FormEncoding {
  /// Whether `+` represents a space.
  package enum Plus: Sendable {
    case isSpace
    case isPlus
  }

  /// Decodes `text` once. `+` is decoded before percent escapes, so `%2b` stays a plus sign.
  ///
  /// - Throws: `input.percent-escape`.
  package static func decode(
    _ text: Span<UInt8>, plus: Plus = .isSpace
  ) throws(TokenError) -> [UInt8] {
    var bytes: [UInt8] = []
    var broken: Int?
    bytes.append(addingCapacity: text.count + excess) { output in
      broken = decode(text, plus: plus, into: &output)
    }
    if let broken { throw TokenError(.malformedPercentEscape, node: "byte \(broken)") }
    return bytes
  }

  /// Bytes of room that decoding needs beyond those of the text, which never grows: it copies words.
  package static var excess: Int { SWAR.count }

  /// As ``decode(_:plus:)-(Span<UInt8>,_)``; places count from the start of the slice.
  ///
  /// - Throws: `input.percent-escape`.
  package static func decode(
    _ text: ArraySlice<UInt8>, plus: Plus = .isSpace
  ) throws(TokenError) -> [UInt8] {
    try decode(text.span, plus: plus)
  }

  /// Appends what `text` decodes to. Returns the position of the first malformed escape, at which decoding
  /// ended.
  ///
  /// - Parameter output: With room for the text and ``excess`` bytes; with less, nothing is decoded.
  package static func decode(
    _ text: Span<UInt8>, plus: Plus = .isSpace, into output: inout OutputSpan<UInt8>
  ) -> Int? {
    guard output.freeCapacity >= text.count + excess else { return 0 }
    return unsafe output.withUnsafeMutableBufferPointer { buffer, count in
      guard let base = buffer.baseAddress else { return nil }
      let start = unsafe UnsafeMutableRawPointer(base + count)
      var next = unsafe start
      let broken = unsafe decode(
        text, plus == .isSpace ? ASCII.space : ASCII.plus, Hex.values, into: &next)
      count = unsafe count + (next - start)
      return broken
    }
  }

  /// - Parameter values: Of hexadecimal digits.
  private static func decode(
    _ text: Span<UInt8>, _ space: UInt8, _ values: [UInt8],
    into output: inout UnsafeMutableRawPointer
  ) -> Int? {
    let digits = values.span
    // What changes at every turn is a local, which a register holds.
    var next = unsafe output
    defer { unsafe output = next }
    var index = 0
    while index < text.count {
      // Eight bytes are copied, of which those before the next special one count.
      if text.count &- index >= SWAR.count {
        let word = SWAR.word(text, at: index)
        unsafe next.storeBytes(of: word.littleEndian, as: UInt64.self)
        let special = SWAR.equal(ASCII.percent, word) | SWAR.equal(ASCII.plus, word)
        if special == 0 {
          // A step of its own: the next word need not wait for what is counted of this one.
          index &+= SWAR.count
          unsafe next += SWAR.count
          continue
        }
        let plain = SWAR.countBeforeFirst(special)
        index &+= plain
        unsafe next += plain
      }
      var byte = text[index]
      if byte == ASCII.percent {
        guard let octet = escaped(text, index, digits) else { return index }
        byte = octet
        index &+= 2
      } else if byte == ASCII.plus {
        byte = space
      }
      index &+= 1
      unsafe next.storeBytes(of: byte, as: UInt8.self)
      unsafe next += 1
    }
    return nil
  }

  /// The octet of the escape at `place`; nil for a malformed one.
  ///
  /// - Parameter digits: ``Hex/values``.
  @inline(__always)
  private static func escaped(
    _ text: Span<UInt8>, _ place: Int, _ digits: Span<UInt8>
  ) -> UInt8? {
    guard text.count &- place >= 3 else { return nil }
    let high = digits[Int(text[place &+ 1])]
    let low = digits[Int(text[place &+ 2])]
    // No digit's value is above 15.
    return high | low < 16 ? high &<< 4 | low : nil
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
        Hex.append(byte, to: &encoded)
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  private static let marks = Array("-_.!*()".utf8)
}
