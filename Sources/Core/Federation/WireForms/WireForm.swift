import Octets

/// The wire form of a token, recognised by its first bytes.
enum WireForm: Equatable {
  case xml
  case json
  case base64
  case percentEncodedBase64
  case compactJWS
  case pairs
  case unknown

  /// The one form that fits the bytes.
  ///
  /// Text is read up to the first byte that is not base64; that byte decides the form, and where it
  /// may belong to two of them, what stands behind it: `&` or a `=` before the end makes pairs.
  static func recognise(_ octets: ArraySlice<UInt8>) -> WireForm { recognise(octets.span) }

  private static func recognise(_ octets: Span<UInt8>) -> WireForm {
    var start = octets.hasPrefix("\u{FEFF}") ? 3 : 0
    while start < octets.count, ASCII.isWhiteSpace(octets[start]) { start += 1 }
    guard start < octets.count else { return .unknown }
    switch octets[start] {
    case ASCII.lessThan: return .xml
    case UInt8(ascii: "{"): return .json
    default: return recogniseText(octets.extracting(start...))
    }
  }

  private static func recogniseText(_ text: Span<UInt8>) -> WireForm {
    if isPlainEncodedXML(text) { return .base64 }
    let index = digits(text)
    guard index < text.count else { return .base64 }
    let rest = text.extracting(index...)
    switch text[index] {
    case UInt8(ascii: "."):
      return .compactJWS
    case ASCII.equals where isPadding(rest):
      return .base64
    case ASCII.equals where isPartPadding(rest):
      return .compactJWS
    case ASCII.equals where isEscapedPadding(rest):
      return .percentEncodedBase64
    case ASCII.percent where escapesBase64(rest) && !hasPairBeyondEscapes(rest):
      return .percentEncodedBase64
    default:
      if hasPair(text) { return .pairs }
      return beginsLikeEncodedXML(text) ? .base64 : .unknown
    }
  }

  /// The escapes of percent-encoded base64 are `%2B`, `%2F`, `%3D` and line ends.
  private static func escapesBase64(_ text: Span<UInt8>) -> Bool {
    guard text.count >= 3, text[0] == ASCII.percent else { return false }
    let low = ASCII.lowercased(text[2])
    switch text[1] {
    case UInt8(ascii: "2"): return low == UInt8(ascii: "b") || low == UInt8(ascii: "f")
    case UInt8(ascii: "3"): return low == UInt8(ascii: "d")
    case UInt8(ascii: "0"): return low == UInt8(ascii: "a") || low == UInt8(ascii: "d")
    default: return false
    }
  }

  /// Whether the text is padding that ends a part of a JWS.
  private static func isPartPadding(_ text: Span<UInt8>) -> Bool {
    let dot = text.count > 1 && text[1] == ASCII.equals ? 2 : 1
    return dot < text.count && text[dot] == UInt8(ascii: ".")
  }

  /// Whether the text contains only what may end percent-encoded base64.
  private static func isEscapedPadding(_ text: Span<UInt8>) -> Bool {
    var index = 0
    while index < text.count {
      if text[index] == ASCII.equals || ASCII.isWhiteSpace(text[index]) {
        index += 1
      } else if escapesBase64(text.extracting(index...)) {
        index += 3
      } else {
        return false
      }
    }
    return true
  }

  /// Whether the text contains a `&`, or a `=` that ends no percent-encoded base64: values of pairs
  /// have the escapes of base64 too.
  private static func hasPairBeyondEscapes(_ text: Span<UInt8>) -> Bool {
    if text.firstIndex(of: ASCII.ampersand, from: 0) != nil { return true }
    guard let equals = text.firstIndex(of: ASCII.equals, from: 0) else { return false }
    return !isEscapedPadding(text.extracting(equals...))
  }

  /// Whether the text contains only what may end base64.
  private static func isPadding(_ text: Span<UInt8>) -> Bool {
    var index = 0
    while index < text.count, text[index] == ASCII.equals || ASCII.isWhiteSpace(text[index]) {
      index += 1
    }
    return index == text.count
  }

  /// Whether the text contains a `&`, or a `=` that is no padding.
  private static func hasPair(_ text: Span<UInt8>) -> Bool {
    if text.firstIndex(of: ASCII.ampersand, from: 0) != nil { return true }
    guard let equals = text.firstIndex(of: ASCII.equals, from: 0) else { return false }
    return !isPadding(text.extracting(equals...))
  }

  /// Whether it is base64 of XML, and nothing makes it another form. Searches for four bytes cost less than a look at each
  /// digit, which decoding takes anyway.
  private static func isPlainEncodedXML(_ text: Span<UInt8>) -> Bool {
    guard beginsLikeEncodedXML(text), text.firstIndex(of: ASCII.percent, from: 0) == nil,
      text.firstIndex(of: UInt8(ascii: "."), from: 0) == nil
    else { return false }
    return !hasPair(text)
  }

  /// Whether base64 of the text would begin with `<` and a name, `?` or `!`.
  private static func beginsLikeEncodedXML(_ text: Span<UInt8>) -> Bool {
    text.count > 2 && text[0] == UInt8(ascii: "P")
      && (UInt8(ascii: "C")...UInt8(ascii: "H")).contains(text[1])
  }

  /// How many bytes at the start are digits of Base 64 or white space.
  private static func digits(_ text: Span<UInt8>) -> Int {
    let isBase64 = isBase64
    var index = 0
    while index < text.count {
      index += digitBlocks(text.extracting(index...))
      // In the next block is something else, mostly a line end.
      let end = min(index + 16, text.count)
      while index < end {
        guard isBase64[Int(text[index])] else { return index }
        index += 1
      }
    }
    return index
  }

  /// How many bytes at the start are digits of Base 64 and nothing else, in whole blocks of sixteen.
  private static func digitBlocks(_ text: Span<UInt8>) -> Int {
    var index = 0
    while text.count &- index >= 16 {
      let lanes = ByteVector.load(text, at: index)
      let letters = ByteVector.below(
        26, (lanes | SIMD16(repeating: 0x20)) &- SIMD16(repeating: 0x61))
      // The digits follow `/` in ASCII.
      let others =
        ByteVector.below(11, lanes &- SIMD16(repeating: UInt8(ascii: "/")))
        | ByteVector.equal(ASCII.plus, lanes)
      guard ByteVector.isNowhere(~(letters | others)) else { break }
      index &+= 16
    }
    return index
  }

  /// Whether a byte is a digit of either alphabet, or white space.
  private static let isBase64: [Bool] = (UInt8.min...UInt8.max).map {
    isBase64Digit($0) || ASCII.isWhiteSpace($0)
  }

  private static func isBase64Digit(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == ASCII.plus
      || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }
}
