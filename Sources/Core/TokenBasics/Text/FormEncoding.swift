package import Octets

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

  /// Where decoding ends.
  package enum End: Sendable {
    /// At the end of the text.
    case ofText
    /// At the first `=` or `&`, which are not decoded from escapes.
    case ofName
    /// At the first `&`.
    case ofValue

    /// With a byte that decoding never leaves where there are fewer than two.
    fileprivate var delimiters: (UInt8, UInt8) {
      switch self {
      case .ofText: (ASCII.percent, ASCII.percent)
      case .ofName: (ASCII.ampersand, ASCII.equals)
      case .ofValue: (ASCII.ampersand, ASCII.ampersand)
      }
    }
  }

  /// Appends what `text` decodes to. Returns the position of the first malformed escape, at which decoding
  /// ended.
  ///
  /// - Parameter output: With room for the text and ``excess`` bytes; with less, nothing is decoded.
  package static func decode(
    _ text: Span<UInt8>, plus: Plus = .isSpace, into output: inout OutputSpan<UInt8>
  ) -> Int? {
    var place = 0
    return decode(text, from: &place, to: .ofText, plus: plus, into: &output) ? nil : place
  }

  /// Appends what a part of `text` decodes to. Returns false where it ended at a malformed escape.
  ///
  /// - Parameters:
  ///   - place: Where the part begins; then where it ends.
  ///   - output: With room for the rest of the text and ``excess`` bytes; with less, nothing is decoded.
  package static func decode(
    _ text: Span<UInt8>, from place: inout Int, to end: End, plus: Plus = .isSpace,
    into output: inout OutputSpan<UInt8>
  ) -> Bool {
    guard output.freeCapacity >= text.count - place + excess else { return false }
    return unsafe output.withUnsafeMutableBufferPointer { buffer, count in
      guard let base = buffer.baseAddress else { return true }
      let start = unsafe UnsafeMutableRawPointer(base + count)
      var next = unsafe start
      let isWhole = unsafe decode(
        text, &place, end.delimiters, plus == .isSpace ? ASCII.space : ASCII.plus, Hex.values,
        into: &next)
      count = unsafe count + (next - start)
      return isWhole
    }
  }

  /// - Parameter values: Of hexadecimal digits.
  private static func decode(
    _ text: Span<UInt8>, _ place: inout Int, _ delimiters: (UInt8, UInt8), _ space: UInt8,
    _ values: [UInt8], into output: inout UnsafeMutableRawPointer
  ) -> Bool {
    let digits = values.span
    // What changes at every turn is a local, which a register holds.
    var next = unsafe output
    var index = place
    defer {
      unsafe output = next
      place = index
    }
    while index < text.count {
      // Eight bytes are copied, of which those before the next special one count.
      if text.count &- index >= SWAR.count {
        let word = SWAR.word(text, at: index)
        unsafe next.storeBytes(of: word.littleEndian, as: UInt64.self)
        // The escape, the plus sign, the ampersand and a few others that texts seldom have.
        let special = SWAR.below(ASCII.plus + 1, word) | SWAR.equal(delimiters.1, word)
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
      let byte = text[index]
      if byte == ASCII.percent {
        // Most escapes stand beside others.
        repeat {
          guard let octet = escaped(text, index, digits) else { return false }
          unsafe next.storeBytes(of: octet, as: UInt8.self)
          unsafe next += 1
          index &+= 3
        } while index < text.count && text[index] == ASCII.percent
        continue
      }
      if byte == delimiters.0 || byte == delimiters.1 { return true }
      unsafe next.storeBytes(of: byte == ASCII.plus ? space : byte, as: UInt8.self)
      unsafe next += 1
      index &+= 1
    }
    return true
  }

  /// The octet of the escape at `place`; nil for a malformed one.
  ///
  /// - Parameter digits: ``Hex/values``.
  @inline(__always)
  private static func escaped(
    _ text: Span<UInt8>, _ place: Int, _ digits: Span<UInt8>
  ) -> UInt8? {
    guard text.count &- place >= 3 else { return nil }
    let both = unsafe text.bytes.unsafeLoadUnaligned(
      fromByteOffset: place &+ 1, as: UInt16.self)
    let high = digits[Int(both.littleEndian & 0xFF)]
    let low = digits[Int(both.littleEndian &>> 8)]
    // No digit's value is above 15.
    return high | low < 16 ? high &<< 4 | low : nil
  }

  /// Encodes UTF-8 as .NET's `HttpUtility.UrlEncode` does, which is what ACS signs: `A`–`Z`, `a`–`z`,
  /// `0`–`9` and `-_.!*()` stay, a space becomes `+`, any other byte `%` and two lower-case digits.
  package static func encode(_ text: String) -> String {
    let bytes = text.utf8.span
    var output = OctetWriter(capacity: 3 * bytes.count)
    encode(bytes, to: &output)
    return output.withBytes { Bytes.string($0) }
  }

  /// Appends what ``encode(_:)`` makes of `text`.
  package static func encode(_ text: Span<UInt8>, to output: inout OctetWriter) {
    let kept = kept
    for index in text.indices {
      let byte = text[index]
      if kept[Int(byte)] {
        output.append(byte)
      } else if byte == ASCII.space {
        output.append(ASCII.plus)
      } else {
        output.append(ASCII.percent)
        output.append(Hex.digit(byte >> 4))
        output.append(Hex.digit(byte & 15))
      }
    }
  }

  /// Appends what ``encode(_:)`` makes of `text`.
  package static func encode(_ text: StaticString, to output: inout OctetWriter) {
    text.withUTF8Buffer { unsafe encode($0.span, to: &output) }
  }

  /// Of each byte, whether it stays as it is.
  private static let kept = (UInt8.min...UInt8.max).map {
    ASCII.isLetter($0) || ASCII.isDigit($0) || "-_.!*()".utf8.contains($0)
  }
}
