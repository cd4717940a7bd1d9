/// Bytes by their names, and the classes that ASCII-only grammars need.
package enum ASCII {
  package static let tab = UInt8(ascii: "\t")
  package static let lineFeed = UInt8(ascii: "\n")
  package static let carriageReturn = UInt8(ascii: "\r")
  package static let space = UInt8(ascii: " ")
  package static let ampersand = UInt8(ascii: "&")
  package static let equals = UInt8(ascii: "=")
  package static let percent = UInt8(ascii: "%")
  package static let plus = UInt8(ascii: "+")
  package static let lessThan = UInt8(ascii: "<")

  /// White space as XML 1.0 and RFC 8259 know it: space, tab, line feed, carriage return.
  @inline(__always)
  package static func isWhiteSpace(_ byte: UInt8) -> Bool {
    byte == space || byte == lineFeed || byte == carriageReturn || byte == tab
  }

  @inline(__always)
  package static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  @inline(__always)
  package static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

  /// `byte` with A–Z turned into a–z.
  @inline(__always)
  package static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }
}

extension Collection where Element == UInt8 {
  /// Whether all bytes are white space (true for an empty collection).
  package var isAllWhiteSpace: Bool { allSatisfy(ASCII.isWhiteSpace) }

  /// Whether the bytes are `text`, letters compared without case. ASCII only.
  package func equalsIgnoringCase(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount
      && String(decoding: self, as: UTF8.self).utf8.map(ASCII.lowercased)
        == String(describing: text).utf8.map(ASCII.lowercased)
  }
}
