import TokenBasics

/// Text in UTF-16, which is captured in UTF-8 and written again as it was.
struct UTF16Text {
  /// The text without its byte order mark.
  let utf8: [UInt8]
  private let isLittleEndian: Bool
  private let hasMark: Bool

  /// Nil for octets that do not begin as UTF-16, with a byte order mark or a NUL beside the first letter, and
  /// for no UTF-16.
  init?(_ octets: [UInt8]) {
    switch octets.prefix(2) {
    case [0xFF, 0xFE]: (isLittleEndian, hasMark) = (true, true)
    case [0xFE, 0xFF]: (isLittleEndian, hasMark) = (false, true)
    default:
      guard ContentEncoding.isUTF16(octets.span) else { return nil }
      (isLittleEndian, hasMark) = (octets[0] != 0, false)
    }
    guard octets.count.isMultiple(of: 2) else { return nil }
    let isLittleEndian = isLittleEndian
    let units = stride(from: hasMark ? 2 : 0, to: octets.count, by: 2).map { place in
      let (first, second) = (UInt16(octets[place]), UInt16(octets[place + 1]))
      return isLittleEndian ? second << 8 | first : first << 8 | second
    }
    guard let text = String(validating: units, as: UTF16.self) else { return nil }
    utf8 = Array(text.utf8)
  }

  func encoding(_ text: [UInt8]) -> [UInt8] {
    let units = (hasMark ? [0xFEFF] : []) + Array(String(decoding: text, as: UTF8.self).utf16)
    return units.flatMap { unit -> [UInt8] in
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
      return isLittleEndian ? [low, high] : [high, low]
    }
  }
}
