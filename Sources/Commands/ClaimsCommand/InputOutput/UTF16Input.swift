import Octets
import TokenBasics

/// XML in UTF-16, which every XML processor must read (XML 1.0, 4.3.3) and which tokens may not use.
enum UTF16Input {
  /// `octets` in UTF-8, if they begin with the byte order mark of UTF-16.
  ///
  /// - Throws: `xml.encoding` for an unpaired surrogate or half a code unit; `input.too-large`.
  static func asUTF8(_ octets: [UInt8]) throws(TokenError) -> [UInt8] {
    let isBigEndian = octets.starts(with: [0xFE, 0xFF])
    guard isBigEndian || octets.starts(with: [0xFF, 0xFE]) else { return octets }
    // In UTF-8 it may be short enough to pass later checks although it was truncated.
    guard octets.count <= Limits().bytes else {
      throw TokenError(.inputTooLarge, expected: "at most \(Limits().bytes) bytes")
    }
    guard octets.count % 2 == 0 else { throw TokenError(.xmlEncoding, expected: "whole UTF-16") }
    let units = stride(from: 2, to: octets.count, by: 2).map { (index: Int) -> UInt16 in
      let high = UInt16(octets[isBigEndian ? index : index + 1])
      let low = UInt16(octets[isBigEndian ? index + 1 : index])
      return high << 8 | low
    }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw TokenError(.xmlEncoding, expected: "sound UTF-16")
    }
    return withoutDeclaration(Array(text.utf8))
  }

  /// Removes the declaration, which names UTF-16: the text no longer is.
  private static func withoutDeclaration(_ xml: [UInt8]) -> [UInt8] {
    guard xml.starts(with: Array("<?xml".utf8)), xml.count > 5, ASCII.isWhiteSpace(xml[5]),
      let end = xml.firstIndex(of: UInt8(ascii: ">"))
    else { return xml }
    return Array(xml[(end + 1)...])
  }
}
