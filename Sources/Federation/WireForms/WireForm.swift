import Octets

/// How a token travels, told from its first bytes.
enum WireForm: Equatable {
  case xml
  case json
  case base64
  case percentEncodedBase64
  case compactJWS
  case pairs
  case unknown

  /// The one form that the bytes can be.
  ///
  /// Text is read up to the first byte that base64 does not have; what that byte is tells the form. A
  /// kilobyte of base64 alone is base64, unless it begins like the JSON of a JWS header, which may be
  /// longer.
  static func recognise(_ octets: ArraySlice<UInt8>) -> WireForm {
    var rest = octets
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    rest = rest.drop(while: ASCII.isWhiteSpace)
    switch rest.first {
    case ASCII.lessThan: return .xml
    case UInt8(ascii: "{"): return .json
    case nil: return .unknown
    default: return recogniseText(rest)
    }
  }

  private static func recogniseText(_ text: ArraySlice<UInt8>) -> WireForm {
    let mayBeJWS = text.first == UInt8(ascii: "e")
    let sample = mayBeJWS ? text : text.prefix(1024)
    let isBase64 = isBase64
    var index = sample.startIndex + digitBlocks(sample.span)
    while index < sample.endIndex, isBase64[Int(sample[index])] { index += 1 }
    guard index < sample.endIndex else { return .base64 }
    let rest = text[index...]
    switch text[index] {
    case UInt8(ascii: "."):
      return .compactJWS
    case ASCII.equals where rest.allSatisfy({ $0 == ASCII.equals || ASCII.isWhiteSpace($0) }):
      return .base64
    case ASCII.equals where isPercentEncodedEnd(rest):
      return .percentEncodedBase64
    case ASCII.percent where escapesBase64(rest):
      return .percentEncodedBase64
    default:
      if hasPair(text) { return .pairs }
      return beginsLikeEncodedXML(text) ? .base64 : .unknown
    }
  }

  /// `%2B`, `%2F`, `%3D` and line ends are all that percent-encoding does to base64.
  private static func escapesBase64(_ text: ArraySlice<UInt8>) -> Bool {
    let escape = text.prefix(3).dropFirst()
    guard escape.count == 2, let high = Hex.value(escape[escape.startIndex]),
      let low = Hex.value(escape[escape.startIndex + 1])
    else { return false }
    return [0x2B, 0x2F, 0x3D, 0x0A, 0x0D].contains(high << 4 | low)
  }

  /// Whether there is a `&`, or a `=` that is no padding.
  private static func hasPair(_ text: ArraySlice<UInt8>) -> Bool {
    if text.firstIndex(of: ASCII.ampersand, from: text.startIndex) != nil { return true }
    guard let equals = text.firstIndex(of: ASCII.equals, from: text.startIndex) else { return false }
    return !text[equals...].allSatisfy { $0 == ASCII.equals || ASCII.isWhiteSpace($0) }
  }

  /// Whether base64 of the text would begin with `<` and a name, `?` or `!`.
  private static func beginsLikeEncodedXML(_ text: ArraySlice<UInt8>) -> Bool {
    text.count > 2 && text.first == UInt8(ascii: "P")
      && (UInt8(ascii: "C")...UInt8(ascii: "H")).contains(text[text.startIndex + 1])
  }

  private static func isPercentEncodedEnd(_ text: ArraySlice<UInt8>) -> Bool {
    text.dropFirst().first == ASCII.percent && escapesBase64(text.dropFirst())
  }

  /// How many bytes at the start are digits of Base 64 and nothing else, in whole blocks of sixteen.
  private static func digitBlocks(_ text: Span<UInt8>) -> Int {
    var index = 0
    while text.count &- index >= 16 {
      let lanes = ByteVector.load(text, at: index)
      let letters = ByteVector.below(
        26, (lanes | SIMD16(repeating: 0x20)) &- SIMD16(repeating: 0x61))
      // The digits stand behind `/`.
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
